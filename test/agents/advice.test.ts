import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderToolCall } from '@holdfast/core/parse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textAnswer } from '../support/scripted-model.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { RecordedRequest, ScriptedUpstream } from '../support/scripted-upstream.ts';
import { startGateway } from '../support/start-gateway.ts';
import { installAgents } from './install-agents.ts';

const { claude } = await installAgents();

const GUIDANCE = '⚠️ Tool guidance';
const FAILING = { command: 'cat missing.txt', description: 'Shows the file' };

interface Message {
  readonly role: string;
  readonly content: string;
}

describe('a model that makes the same failing call twice', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-advice-'));
  let upstream: ScriptedUpstream;

  beforeAll(async () => {
    upstream = await startScriptedUpstream((request) => {
      const { stream } = request.json as { readonly stream?: boolean };
      const call = renderToolCall({ name: claude.shellTool, arguments: FAILING }, 'qwen');
      const text = resultsOf(request).length < 2 ? call : 'I give up.';
      const answer = textAnswer('chat', text);
      return { body: stream === true ? answer.stream : answer.body };
    });
  });

  afterAll(async () => {
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The results that a run of the agent ends with, as the model is sent them. */
  async function resultsAtTheEnd(advice: boolean): Promise<readonly string[]> {
    const gateway = await startGateway({
      upstreams: [{ name: 'local', url: upstream.url }],
      proxy: { advice },
    });
    const own = join(folder, String(advice));
    const home = join(folder, 'home');
    for (const each of [own, home]) mkdirSync(each, { recursive: true });
    const from = upstream.requests.length;
    const { url } = gateway;
    const model = 'qwen';
    const printed = await claude.run({ url, model, prompt: 'Show it.', folder: own, home });
    await gateway.close();
    expect(printed).toContain('I give up.');
    const asked = upstream.requests.slice(from).map(resultsOf);
    return asked.reduce((most, each) => (each.length > most.length ? each : most), []);
  }

  test('is told so on the second result, behind what the tool said', async () => {
    const [first, second] = await resultsAtTheEnd(true);

    expect(first).not.toContain(GUIDANCE);
    expect(second).toContain('missing.txt');
    expect(second).toContain(GUIDANCE);
    expect(second!.indexOf('No such file')).toBeLessThan(second!.indexOf(GUIDANCE));
  });

  test('is told nothing when advice is off', async () => {
    const results = await resultsAtTheEnd(false);

    expect(results).toHaveLength(2);
    expect(results.join()).not.toContain(GUIDANCE);
  });
});

function resultsOf({ json }: RecordedRequest): readonly string[] {
  const { messages = [] } = json as { readonly messages?: readonly Message[] };
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}
