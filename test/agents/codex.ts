import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runProgram } from './agent.ts';
import type { Agent, AgentTask } from './agent.ts';

/** Codex, which asks in OpenAI's Responses. */
export interface CodexAgent extends Agent {
  /** Works on a prompt with more on its command line. */
  runWith(task: AgentTask, flags: readonly string[]): Promise<string>;
  /** Trusts all hooks there are, as its user does who is asked, and gives what it says of them then. */
  trustHooks(task: Pick<AgentTask, 'home' | 'folder'>): Promise<readonly string[]>;
}

export const codex = (program: string, version: string): CodexAgent => ({
  name: 'Codex',
  version,
  shellTool: 'exec_command',
  commandKey: 'cmd',
  protocol: 'responses',
  run: (task) => runCodex(program, task, []),
  runWith: (task, flags) => runCodex(program, task, flags),
  trustHooks: (task) => trustHooks(program, task),
});

function runCodex(
  program: string,
  { url, model, prompt, folder, home }: AgentTask,
  flags: readonly string[],
): Promise<string> {
  mkdirSync(join(home, '.codex'), { recursive: true });
  const settings = [
    `model=${JSON.stringify(model)}`,
    'model_provider="local"',
    'check_for_update_on_startup=false',
    'analytics.enabled=false',
    'model_providers.local.name="local"',
    `model_providers.local.base_url=${JSON.stringify(`${url}/v1`)}`,
    'model_providers.local.wire_api="responses"',
    'model_providers.local.env_key="LOCAL_KEY"',
    'model_providers.local.request_max_retries=1',
    'model_providers.local.stream_max_retries=1',
  ];
  const unasked = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
  const args = [...unasked, ...flags, ...settings.flatMap((each) => ['-c', each])];
  return runProgram(program, ['exec', ...args, prompt], {
    cwd: folder,
    env: { HOME: home, LOCAL_KEY: 'not-needed' },
  });
}

interface ListedHook {
  readonly key: string;
  readonly currentHash: string;
  readonly trustStatus: string;
}

/** What its terminal does when the user chooses to trust them. */
async function trustHooks(
  program: string,
  { home, folder }: Pick<AgentTask, 'home' | 'folder'>,
): Promise<readonly string[]> {
  const child = spawn(program, ['app-server'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: 60_000,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let last = 0;
  const ask = async <Result>(method: string, params: object): Promise<Result> => {
    const id = ++last;
    child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
    for (;;) {
      const line = (await lines.next()) as IteratorResult<string, undefined>;
      if (line.value === undefined) throw new Error(`no answer to ${method}`);
      const message = JSON.parse(line.value) as { readonly id?: number; readonly result: Result };
      if (message.id === id) return message.result;
    }
  };
  const list = async (): Promise<readonly ListedHook[]> => {
    const params = { cwds: [folder] };
    const { data } = await ask<{ data: readonly { hooks: readonly ListedHook[] }[] }>(
      'hooks/list',
      params,
    );
    return data.flatMap(({ hooks }) => hooks);
  };
  try {
    await ask('initialize', { clientInfo: { name: 'test', version: '1' } });
    child.stdin.write('{"method":"initialized"}\n');
    const value = Object.fromEntries(
      (await list()).map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]),
    );
    const edits = [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }];
    await ask('config/batchWrite', { edits, reloadUserConfig: true });
    return (await list()).map(({ trustStatus }) => trustStatus);
  } finally {
    const closed = once(child, 'close');
    child.kill();
    await closed;
  }
}
