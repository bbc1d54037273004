import { renderToolCall } from '@holdfast/core/parse';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readText } from '../support/repository.ts';
import { scriptedModel, textAnswer } from '../support/scripted-model.ts';
import type { ModelAnswer, Protocol } from '../support/scripted-model.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';
import { startGateway } from '../support/start-gateway.ts';
import type { RunningGateway } from '../support/start-gateway.ts';
import type { Agent } from './agent.ts';
import { agentsPage } from './agents-page.ts';
import type { AgentRow, AgentRun } from './agents-page.ts';
import { installAgents } from './install-agents.ts';

/** What the model writes, by agent: each start of OpenCode takes seconds. */
const DIALECTS = {
  'Claude Code': ['qwen', 'qwen3-coder', 'glm', 'mistral', 'llama3-json', 'kimi-k2', 'harmony'],
  OpenCode: ['qwen', 'qwen3-coder', 'mistral'],
  Codex: ['qwen', 'qwen3-coder', 'glm', 'mistral', 'llama3-json', 'kimi-k2', 'harmony'],
};

const SAID = 'größe "42"';
const COMMAND = `printf '%s' '${SAID}' | tee proof.txt`;
/** Part of the command, as it is shown where it is not run. */
const SHOWN = 'tee proof.txt';
/** A request with results of tools, in any protocol. */
const RESULTS = /"role":"tool"|"type":"tool_result"|"type":"function_call_output"/;
const PROMPT = 'Write the size to proof.txt.';
/** What agents ask besides, such as a title for the conversation. */
const SMALL_TALK = 'A title';

const { claude, openCode, codex } = await installAgents();
const agents = [claude, openCode, codex];

describe('a model that writes its calls as text', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-agents-'));
  const rows: AgentRow[] = [];
  let upstream: ScriptedUpstream;
  let gateway: RunningGateway;

  beforeAll(async () => {
    upstream = await startScriptedUpstream(scriptedModel(answerOf, SMALL_TALK));
    const { url } = upstream;
    gateway = await startGateway({
      upstreams: [
        { name: 'messages', url, protocols: ['messages'], models: ['messages.*'] },
        { name: 'responses', url, protocols: ['responses'], models: ['responses.*'] },
        { name: 'local', url },
      ],
    });
  });

  afterAll(async () => {
    await Promise.all([upstream.close(), gateway.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Models are called `<protocol>.<tool>.<dialect>`. */
  function answerOf(model: string): ModelAnswer {
    const [protocol, name, ...dialect] = model.split('.');
    const { commandKey } = agents.find(({ shellTool }) => shellTool === name)!;
    const args = { [commandKey]: COMMAND };
    const call = renderToolCall({ name: name!, arguments: args }, dialect.join('.'));
    return textAnswer(protocol as Protocol, `I will write it.\n${call}`, 3);
  }

  /** One prompt, and what came of it. */
  async function work(
    agent: Agent,
    dialect: string,
    through: 'direct' | 'gateway',
    protocol: Protocol,
  ): Promise<AgentRun> {
    const own = join(folder, `${agent.name} ${dialect} ${through} ${protocol}`);
    const home = join(folder, `home of ${agent.name}`);
    for (const each of [own, home]) mkdirSync(each, { recursive: true });
    const from = upstream.requests.length;
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
      asked: requests.length,
      isShown: printed.includes(SHOWN),
      wrote: existsSync(proof) ? readFileSync(proof, 'utf8') : undefined,
      cameBack: requests.some((body) => RESULTS.test(body) && body.includes('größe')),
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
      // Direct, the server has to speak the agent's protocol; behind the gateway it need not.
      const direct = await work(agent, dialect, 'direct', agent.protocol);
      const through = await work(agent, dialect, 'gateway', 'chat');
      rows.push({ agent: name, dialect, direct, through });

      const nothing = { isShown: true, wrote: undefined, cameBack: false };
      expect(direct, direct.printed).toMatchObject(nothing);
      expect(direct.asked).toBeGreaterThan(0);
      expect(through, through.printed).toMatchObject({ wrote: SAID, cameBack: true });
      expect(through.printed).toContain('It says:');
    },
  );

  test.for([claude, codex])('is understood in the protocol of $name too', async (agent) => {
    const through = await work(agent, 'qwen', 'gateway', agent.protocol);

    expect(through, through.printed).toMatchObject({ wrote: SAID, cameBack: true });
  });

  test('docs/agents.md tells what was seen', async () => {
    const page = agentsPage(readText('docs/agents.md'), rows);
    await expect(page).toMatchFileSnapshot('../../docs/agents.md');
  });
});
