import { renderToolCall } from '@holdfast/core/parse';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { scriptedModel, textAnswer } from '../support/scripted-model.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';
import { startGateway } from '../support/start-gateway.ts';
import type { RunningGateway } from '../support/start-gateway.ts';
import { installAgents } from './install-agents.ts';

const SAID = 'There is nothing to do.';
const { claude } = await installAgents();
const { shellTool, commandKey } = claude;
const call = renderToolCall(
  { name: shellTool, arguments: { [commandKey]: 'touch run.txt' } },
  'qwen',
);
/** The template of the model opened the reasoning in the prompt. */
const considered = `I could run this:\n${call}\nBut no.\n</think>\n\n${SAID}`;

describe('a call that a model only considered', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-considered-'));
  let upstream: ScriptedUpstream;
  let gateway: RunningGateway | undefined;

  beforeAll(async () => {
    upstream = await startScriptedUpstream(
      scriptedModel(() => textAnswer('chat', considered, 3), 'A title'),
    );
  });

  afterEach(() => gateway?.close());

  afterAll(async () => {
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What Claude Code printed, and whether it ran the call. */
  async function work(startsInReasoning: boolean | 'auto', model: string, name: string) {
    const { url } = upstream;
    gateway = await startGateway({ upstreams: [{ url }], proxy: { startsInReasoning } });
    const own = join(folder, name);
    const home = join(folder, 'home');
    for (const each of [own, home]) mkdirSync(each, { recursive: true });
    const task = { url: gateway.url, model, prompt: 'Clean up.', folder: own, home };
    const printed = await claude.run(task);
    return { printed, wasRun: existsSync(join(own, 'run.txt')) };
  }

  test('is not run by Claude Code', async () => {
    for (const model of ['local', 'qwq-32b']) {
      const { printed, wasRun } = await work('auto', model, model);
      expect(wasRun, printed).toBe(false);
      expect(printed).toContain(SAID);
      await gateway?.close();
      gateway = undefined;
    }
  });

  test('is run where the configuration says that no answer begins in reasoning', async () => {
    const { printed, wasRun } = await work(false, 'local', 'outside');
    expect(wasRun, printed).toBe(true);
  });
});
