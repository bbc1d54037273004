import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@holdfast/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bash, SHAPES } from '../packages/gateway/src/proxy/advise/conversations.case.ts';
import { root } from './support/repository.ts';
import { scriptedModel, textAnswer } from './support/scripted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import { startGateway } from './support/start-gateway.ts';

const bin = join(root, 'packages', 'gateway', 'bin', 'holdfast.js');
const MISSING = 'cat: /srv/notes: No such file or directory';

/** One section for all of them, by the names of the library. */
const advisor = {
  toolThreshold: 1,
  advice: [{ tool: 'code_execution_tool', type: 'not_found', text: 'Ask the librarian.' }],
};

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-advisor-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A command that failed, as agents report it to their hooks. */
const EVENTS: readonly (readonly [string, JsonObject])[] = [
  [
    'gemini',
    {
      hook_event_name: 'AfterTool',
      session_id: 's',
      tool_name: 'run_shell_command',
      tool_input: { command: 'cat /srv/notes' },
      tool_response: { llmContent: `Output: ${MISSING}\nExit Code: 1`, returnDisplay: MISSING },
    },
  ],
  [
    'agent-zero',
    {
      event: 'tool_execute_after',
      session: 's',
      tool: 'code_execution_tool',
      args: { code: 'cat /srv/notes' },
      output: MISSING,
    },
  ],
];

function runHook(
  agent: string,
  event: JsonObject,
  env: Readonly<Record<string, string>>,
): { readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [bin, 'hook', agent], {
    env,
    input: JSON.stringify(event),
    encoding: 'utf8',
  });
}

describe('the section advisor', { timeout: 60_000 }, () => {
  test('sets threshold and advice of the proxy', async () => {
    const upstream = await startScriptedUpstream(scriptedModel(() => textAnswer('chat', '')));
    onTestFinished(() => upstream.close());
    const gateway = await startGateway({ upstreams: [{ url: upstream.url }], advisor });
    onTestFinished(() => gateway.close());
    const [chat] = SHAPES;
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(chat!.write([[bash('cat /srv/notes', MISSING)]])),
    });

    expect(response.headers.get('x-holdfast-advice')).toBe('tool-failures');
    const asked = upstream.requests.at(-1)!.json as JsonObject;
    expect(chat!.contents(asked)[0]).toMatch(/ Ask the librarian\.$/);
  });

  test.each(EVENTS)('sets them in the hook of %s, and again when it changes', (agent, event) => {
    const folder = temporaryFolder();
    const file = join(folder, 'holdfast.yaml');
    const env = { HOLDFAST_STATE_DIR: join(folder, 'state'), HOLDFAST_CONFIG: file };
    writeFileSync(file, JSON.stringify({ advisor }));
    expect(runHook(agent, event, env).stdout).toContain('Ask the librarian.');
    const next = [{ ...advisor.advice[0], text: 'Ask ${WHOM}, or the archive.' }];
    writeFileSync(file, JSON.stringify({ upstreams: 'no concern', advisor: { advice: next } }));
    const { stdout } = runHook(agent, event, { ...env, WHOM: 'Ada' });
    expect(stdout).toContain('Ask Ada, or the archive.');
  });

  test.skipIf(process.platform !== 'linux')('is found in the folder of the user', () => {
    const folder = temporaryFolder();
    const env = { HOME: folder, XDG_CONFIG_HOME: folder };
    spawnSync('mkdir', [join(folder, 'holdfast')]);
    writeFileSync(join(folder, 'holdfast', 'holdfast.yaml'), JSON.stringify({ advisor }));
    const [, event] = EVENTS[1]!;

    expect(runHook('agent-zero', event, env).stdout).toContain('Ask the librarian.');
  });

  test('that is wrong lets hooks advise as by default, and doctor says where', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'holdfast.yaml');
    const env = {
      HOME: folder,
      HOLDFAST_STATE_DIR: join(folder, 'state'),
      HOLDFAST_CONFIG: file,
      HOLDFAST_DEBUG: '1',
    };
    writeFileSync(file, 'advisor:\n  toolThreshhold: 1\n');
    const [agent, event] = EVENTS[0]!;
    const wrong = `${file}:2:3: advisor.toolThreshhold: unknown key; did you mean toolThreshold?`;
    for (const advice of ['{}', 'failed 2 times']) {
      const { stdout, stderr } = runHook(agent, event, env);
      expect(stdout).toContain(advice);
      expect(stderr).toContain(wrong);
    }
    const doctor = spawnSync(process.execPath, [bin, 'doctor', agent], { env, encoding: 'utf8' });
    expect(doctor.stdout).toContain(wrong);
    expect(doctor.status).toBe(1);
  });
});
