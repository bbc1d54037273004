import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isOurPlugin, pluginSource } from './plugin-source.ts';
import { loadPlugin, runPlugin } from './running-plugin.case.ts';
import type { Hooks } from './running-plugin.case.ts';

const ADVISE = "return JSON.stringify({ advice: 'Advice for ' + told.callID });";
const TRANSFORM = 'experimental.chat.messages.transform';
const call = { tool: 'bash', sessionID: 'ses_1', callID: 'call_0' };

const part = (id: string, state: object): object => ({
  type: 'tool',
  id: `prt_${id}`,
  sessionID: 'ses_1',
  messageID: 'msg_1',
  callID: id,
  tool: 'edit',
  state,
});
const threw = (id: string): object => part(id, { status: 'error', input: { a: 1 }, error: 'gone' });
const updated = (each: object): object => ({
  event: { type: 'message.part.updated', properties: { part: each } },
});
const conversation = (...parts: readonly object[]) => ({
  messages: [
    { info: { role: 'user' }, parts: [] },
    { info: { role: 'assistant' }, parts },
  ],
});

async function sent(hooks: Hooks, output: ReturnType<typeof conversation>): Promise<unknown> {
  await hooks[TRANSFORM]!({}, output);
  return output.messages.flatMap(({ parts }) =>
    parts.map((each) => (each as { readonly state: { readonly error: string } }).state.error),
  );
}

describe('a call that came back', () => {
  test('is told with the message it is in, and its output gets the advice', async () => {
    const { hooks, told, startedWith } = await runPlugin(ADVISE);
    const output = { title: 't', output: 'No such file\n', metadata: { exit: 1, output: 'No' } };

    await hooks['event']!(updated(part('call_0', { status: 'running' })));
    await hooks['tool.execute.after']!({ ...call, args: { command: 'cat x' } }, output);

    expect(output.output).toBe('No such file\n\nAdvice for call_0');
    expect(startedWith()).toEqual(['hook', 'opencode']);
    expect(told()).toEqual([
      {
        event: 'tool.execute.after',
        ...call,
        messageID: 'msg_1',
        args: { command: 'cat x' },
        output: 'No such file\n',
        isError: false,
        metadata: { exit: 1 },
      },
    ]);
  });

  test('of an MCP server gets the advice as content of its own', async () => {
    const { hooks, told } = await runPlugin(ADVISE);
    const content: object[] = [{ type: 'text', text: 'a' }, { type: 'image' }];

    await hooks['tool.execute.after']!(call, { content });

    expect(content.at(-1)).toEqual({ type: 'text', text: 'Advice for call_0' });
    expect(told()[0]).toMatchObject({ output: 'a' });
  });

  test('that was stopped by its timeout is told so', async () => {
    const { hooks, told } = await runPlugin("return '{}';");
    const output = { output: 'x', metadata: { exit: null } };

    await hooks['tool.execute.after']!(call, output);

    expect(told()[0]).toMatchObject({ metadata: { exit: null } });
    expect(output.output).toBe('x');
  });

  test('is told by its beginning and its end where it is long', async () => {
    const { hooks, told } = await runPlugin("return '{}';");
    const output = `first ${'x'.repeat(1_000_000)} last`;

    await hooks['tool.execute.after']!(call, { output });

    const [{ output: text } = { output: '' }] = told();
    expect(text).toMatch(/^first x+\nx+ last$/);
    expect(String(text).length).toBeLessThan(70_000);
  });

  test('without a result, as of a task that failed, is passed over', async () => {
    const { hooks, told } = await runPlugin(ADVISE);

    await hooks['tool.execute.after']!(call, undefined);

    expect(told()).toEqual([]);
  });
});

describe('a call that threw', () => {
  test('is told once, and every request from then on has the advice', async () => {
    const { hooks, told } = await runPlugin(ADVISE);
    await hooks['event']!(updated(threw('call_0')));

    expect(await sent(hooks, conversation(threw('call_0')))).toEqual(['gone\n\nAdvice for call_0']);
    expect(await sent(hooks, conversation(threw('call_0')))).toEqual(['gone\n\nAdvice for call_0']);
    expect(told()).toEqual([
      {
        event: 'tool.failed',
        sessionID: 'ses_1',
        messageID: 'msg_1',
        callID: 'call_0',
        tool: 'edit',
        args: { a: 1 },
        error: 'gone',
        metadata: {},
      },
    ]);
  });

  test('is found in the request where no event told of it', async () => {
    const { hooks } = await runPlugin(ADVISE);

    expect(await sent(hooks, conversation(threw('call_0')))).toEqual(['gone\n\nAdvice for call_0']);
  });

  test('before the user last spoke is past', async () => {
    const { hooks, told } = await runPlugin(ADVISE);
    const past = conversation(threw('call_0'));
    const asked = { info: { role: 'user' }, parts: [] };

    expect(await sent(hooks, { messages: [...past.messages, asked] })).toEqual(['gone']);
    expect(told()).toEqual([]);
  });
});

describe('the user', () => {
  test('spoke', async () => {
    const { hooks, told } = await runPlugin(ADVISE);

    await hooks['chat.message']!({ sessionID: 'ses_1' }, { parts: [{ type: 'text' }] });

    expect(told()).toEqual([{ event: 'chat.message', sessionID: 'ses_1' }]);
  });

  test('did not speak where opencode goes on by itself', async () => {
    const { hooks, told } = await runPlugin(ADVISE);

    await hooks['chat.message']!({ sessionID: 'ses_1' }, { parts: [{ synthetic: true }] });

    expect(told()).toEqual([]);
  });
});

describe('stopping calls', () => {
  const STOP = "return JSON.stringify({ veto: 'Not again.' });";

  test('is not asked for unless it is wanted', async () => {
    const { hooks } = await runPlugin(STOP);

    expect(hooks['tool.execute.before']).toBeUndefined();
  });

  test('throws what the model is to read', async () => {
    const { hooks, told, startedWith } = await runPlugin(STOP, { veto: true });

    const before = hooks['tool.execute.before']!(call, { args: { command: 'x' } });
    await expect(before).rejects.toThrow('Not again.');
    expect(startedWith()).toEqual(['hook', 'opencode', '--veto']);
    expect(told()).toEqual([{ event: 'tool.execute.before', ...call, args: { command: 'x' } }]);
  });

  test('lets pass what nothing is said about', async () => {
    const { hooks, told } = await runPlugin("return '{}';", { veto: true });

    await hooks['tool.execute.before']!(call, { args: {} });

    expect(told()).toHaveLength(1);
  });
});

describe('whatever goes wrong, the call goes on', () => {
  test.each([
    ['prints no JSON', "return 'oops';"],
    ['prints JSON of another kind', "return '[1]';"],
    ['prints nothing', "return '';"],
    ['prints what is no text', 'return JSON.stringify({ advice: 1, veto: {} });'],
    ['ends with an error', 'process.exit(3);'],
    ['never ends', 'for (;;);', 300],
  ])('a hook that %s', async (_, answer, timeoutMs = 5000) => {
    const { hooks } = await runPlugin(answer, { veto: true, timeoutMs });
    const output = { output: 'as it was' };

    await Promise.all([
      hooks['tool.execute.before']!(call, { args: {} }),
      hooks['tool.execute.after']!(call, output),
    ]);

    expect(output.output).toBe('as it was');
  });

  test('a Holdfast that was moved away is not run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-plugin-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const gone = join(folder, 'gone');
    const output = { output: 'as it was' };

    const hooks = await loadPlugin(folder, gone, gone, { veto: true });
    await hooks['tool.execute.before']!(call, { args: {} });
    await hooks['tool.execute.after']!(call, output);

    expect(output.output).toBe('as it was');
  });

  test.each([[undefined], [{}], [{ messages: null }], [{ messages: [null, { parts: [null] }] }]])(
    'what no opencode sends: %j',
    async (odd) => {
      const { hooks, told } = await runPlugin(ADVISE);

      await hooks[TRANSFORM]!({}, odd);
      await hooks['event']!(odd);
      await hooks['event']!({ event: odd });
      await hooks['event']!(updated({ type: 'tool' }));

      expect(told()).toEqual([]);
    },
  );
});

describe('the file', () => {
  const paths = { node: '/opt/node "20"/bin/node', script: 'C:\\holdfast\\bin.js' };

  test('says on its first line whose it is', () => {
    const text = pluginSource({ ...paths, veto: false });

    expect(isOurPlugin(text)).toBe(true);
    expect(text.split('\n')[0]).toContain('version 1');
    expect(text.split('\n')[0]).toContain('holdfast uninstall opencode');
    expect(isOurPlugin(`// mine\n${text}`)).toBe(false);
  });

  test('holds any path as it is', () => {
    const command = /^const COMMAND = (.*);$/m.exec(pluginSource({ ...paths, veto: true }))?.[1];

    expect(JSON.parse(command ?? '')).toEqual([
      paths.node,
      paths.script,
      'hook',
      'opencode',
      '--veto',
    ]);
  });
});
