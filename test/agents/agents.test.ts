import { renderToolCall } from '@holdfast/core/parse';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readText, root } from '../support/repository.ts';
import { scriptedModel, textAnswer } from '../support/scripted-model.ts';
import type { ModelAnswer } from '../support/scripted-model.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';
import { startGateway } from '../support/start-gateway.ts';
import type { RunningGateway } from '../support/start-gateway.ts';
import type { Agent } from './agent.ts';
import { agentsPage } from './agents-page.ts';
import type { AgentRow } from './agents-page.ts';
import { claudeCode } from './claude-code.ts';
import { openCode } from './opencode.ts';

/** What the model writes, by agent: each start of OpenCode takes seconds. */
const DIALECTS = {
  'Claude Code': ['qwen', 'qwen3-coder', 'glm', 'mistral', 'llama3-json', 'kimi-k2', 'harmony'],
  OpenCode: ['qwen', 'qwen3-coder', 'mistral'],
};

const SAID = 'größe "42"';
const COMMAND = `printf '%s' '${SAID}' | tee proof.txt`;
const PROMPT = 'Write the size to proof.txt.';
/** What agents ask besides, such as a title for the conversation. */
const SMALL_TALK = 'A title';

interface Installed {
  readonly ok: boolean;
  readonly agents: readonly { readonly version: string; readonly program: string }[];
  readonly reason?: string;
}

async function install(): Promise<readonly Agent[]> {
  const child = spawn(process.execPath, ['scripts/install-agents.mjs'], { cwd: root });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await once(child, 'close');
  const { ok, agents, reason } = JSON.parse(output) as Installed;
  if (!ok) throw new Error(`the agents could not be fetched:\n${String(reason)}`);
  const [claude, open] = agents;
  return [claudeCode(claude!.program, claude!.version), openCode(open!.program, open!.version)];
}

const agents = await install();

describe('a model that writes its calls as text', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-agents-'));
  const rows: AgentRow[] = [];
  let upstream: ScriptedUpstream;
  let gateway: RunningGateway;

  beforeAll(async () => {
    upstream = await startScriptedUpstream(scriptedModel(answerOf, SMALL_TALK));
    gateway = await startGateway({ upstreams: [{ name: 'local', url: upstream.url }] });
  });

  afterAll(async () => {
    await Promise.all([upstream.close(), gateway.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Models are called `<protocol>.<tool>.<dialect>`. */
  function answerOf(model: string): ModelAnswer {
    const [protocol, name, ...dialect] = model.split('.');
    const args = { command: COMMAND, description: 'Writes the size' };
    const call = renderToolCall({ name: name!, arguments: args }, dialect.join('.'));
    return textAnswer(
      protocol === 'messages' ? 'messages' : 'chat',
      `I will write it.\n${call}`,
      3,
    );
  }

  /** One prompt, and what came of it. */
  async function work(agent: Agent, dialect: string, through: 'direct' | 'gateway') {
    const own = join(folder, `${agent.name} ${dialect} ${through}`);
    const home = join(folder, `home of ${agent.name}`);
    for (const each of [own, home]) mkdirSync(each, { recursive: true });
    const from = upstream.requests.length;
    // Direct, the server has to speak the agent's protocol; the gateway is asked in front of one that does not.
    const protocol = through === 'direct' ? agent.protocol : 'chat';
    const printed = await agent.run({
      url: through === 'direct' ? upstream.origin : gateway.url,
      model: `${protocol}.${agent.shellTool}.${dialect}`,
      prompt: PROMPT,
      folder: own,
      home,
    });
    const proof = join(own, 'proof.txt');
    const requests = upstream.requests.slice(from).map(({ body }) => body);
    return {
      printed,
      wrote: existsSync(proof) ? readFileSync(proof, 'utf8') : undefined,
      // Its output in a later request, as a result.
      cameBack: requests.some((body) => body.includes('"role":"tool"') && body.includes('größe')),
      asked: requests.length,
    };
  }

  const cases = agents.flatMap((agent) =>
    DIALECTS[agent.name as keyof typeof DIALECTS].map((dialect) => ({
      agent,
      dialect,
      name: `${agent.name} ${agent.version}`,
    })),
  );

  test.for(cases)(
    '$name runs nothing of $dialect without Holdfast, and all with it',
    async (each) => {
      const { agent, dialect, name } = each;
      const direct = await work(agent, dialect, 'direct');
      const through = await work(agent, dialect, 'gateway');
      rows.push({ agent: name, dialect, direct, through });

      expect(direct, direct.printed).toMatchObject({ wrote: undefined, cameBack: false });
      expect(through, through.printed).toMatchObject({ wrote: SAID, cameBack: true });
      expect(through.printed).toContain('It says:');
    },
  );

  test('docs/agents.md tells what was seen', async () => {
    const page = agentsPage(readText('docs/agents.md'), rows);
    await expect(page).toMatchFileSnapshot('../../docs/agents.md');
  });
});
