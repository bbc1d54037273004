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
import type { AgentRow, AgentRun } from './agents-page.ts';
import { claudeCode } from './claude-code.ts';
import { openCode } from './opencode.ts';

/** What the model writes, by agent: each start of OpenCode takes seconds. */
const DIALECTS = {
  'Claude Code': ['qwen', 'qwen3-coder', 'glm', 'mistral', 'llama3-json', 'kimi-k2', 'harmony'],
  OpenCode: ['qwen', 'qwen3-coder', 'mistral'],
};

const SAID = 'größe "42"';
const COMMAND = `printf '%s' '${SAID}' | tee proof.txt`;
/** Part of the command, as it is shown where it is not run. */
const SHOWN = 'tee proof.txt';
/** A request with results of tools, in either protocol. */
const RESULTS = /"role":"tool"|"type":"tool_result"/;
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
    const { url } = upstream;
    gateway = await startGateway({
      upstreams: [
        { name: 'own-protocol', url, protocols: ['messages'], models: ['messages.*'] },
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
    const args = { command: COMMAND, description: 'Writes the size' };
    const call = renderToolCall({ name: name!, arguments: args }, dialect.join('.'));
    return textAnswer(
      protocol === 'messages' ? 'messages' : 'chat',
      `I will write it.\n${call}`,
      3,
    );
  }

  /** One prompt, and what came of it. */
  async function work(
    agent: Agent,
    dialect: string,
    through: 'direct' | 'gateway',
    protocol: Agent['protocol'],
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

  test('is understood in the protocol of the agent too', async () => {
    const claude = agents.find(({ protocol }) => protocol === 'messages')!;
    const through = await work(claude, 'qwen', 'gateway', 'messages');

    expect(through, through.printed).toMatchObject({ wrote: SAID, cameBack: true });
  });

  test('docs/agents.md tells what was seen', async () => {
    const page = agentsPage(readText('docs/agents.md'), rows);
    await expect(page).toMatchFileSnapshot('../../docs/agents.md');
  });
});
