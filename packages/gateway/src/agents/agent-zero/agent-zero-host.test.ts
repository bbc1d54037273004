import type { JsonObject } from '@holdfast/core';
import { ADVICE_PREFIX, Advisor, LOG_PREFIX } from '@holdfast/core/advise';
import { describe, expect, test } from 'vitest';
import type { HookMoment } from '../hook/hook-host.ts';
import { agentZeroHost } from './agent-zero-host.ts';

const MISSING = 'cat: /nonexistent/file/path.txt: No such file or directory';
const ARGS = { runtime: 'terminal', session: 0, code: 'cat /nonexistent/file/path.txt' };

/** What our extensions send. */
const payload = (event: string, rest: JsonObject = {}): JsonObject => ({
  event,
  session: 'Xy12Ab34',
  agent: 0,
  call_id: 'c1',
  tool: 'code_execution_tool',
  args: ARGS,
  ...rest,
});

const call = { tool: 'code_execution_tool', arguments: ARGS, id: 'c1' };

const read = (event: string, rest?: JsonObject): Promise<HookMoment | undefined> =>
  agentZeroHost.read(payload(event, rest));

describe('what agent-zero tells', () => {
  test('before a call', async () => {
    expect(await read('tool_execute_before')).toEqual({
      conversation: 'Xy12Ab34/0',
      canSpeak: true,
      events: [{ kind: 'before', call }],
    });
  });

  test('after a call', async () => {
    const output = `${MISSING}\n(venv) root@3f2a9c:/# `;
    const moment = await read('tool_execute_after', { output });

    expect(moment?.events).toEqual([
      { kind: 'after', call, result: { tool: 'code_execution_tool', output } },
    ]);
  });

  test('after a call of another tool, to the letter', async () => {
    const output = 'me@host:~$ \n';
    const moment = await read('tool_execute_after', { tool: 'knowledge_tool', output });

    expect(moment?.events).toMatchObject([{ result: { tool: 'knowledge_tool', output } }]);
  });

  test('that a tool raised', async () => {
    const error = 'FileNotFoundError: [Errno 2] No such file or directory';
    const moment = await read('tool_exception', { error });

    expect(moment?.events).toMatchObject([{ kind: 'after', result: { isError: true, error } }]);
  });

  test('that the call before never ended, and that the user spoke, in the order it happened', async () => {
    const raised = { tool: 'browser', args: { url: 'x' }, call_id: 'c0' };
    const moment = await read('tool_execute_before', { raised, user_spoke: true });

    expect(moment?.events).toEqual([
      {
        kind: 'after',
        call: { tool: 'browser', arguments: { url: 'x' }, id: 'c0' },
        result: { tool: 'browser', isError: true, output: '' },
      },
      { kind: 'user-spoke' },
      { kind: 'before', call },
    ]);
  });

  test('with what was kept until then, the oldest first', async () => {
    const earlier = [
      payload('tool_execute_before', { user_spoke: true }),
      payload('tool_execute_before', { tool: 'browser', args: {}, call_id: 'c2' }),
      'nonsense',
      { event: 'tool_execute_before' },
    ];
    const moment = await read('tool_execute_after', { earlier, output: 'fine' });

    expect(moment?.events).toEqual([
      { kind: 'user-spoke' },
      { kind: 'before', call },
      { kind: 'before', call: { tool: 'browser', arguments: {}, id: 'c2' } },
      { kind: 'after', call, result: { tool: 'code_execution_tool', output: 'fine' } },
    ]);
  });

  test('is of another conversation where it is of another agent', async () => {
    const [first, second] = await Promise.all([
      read('tool_execute_before'),
      read('tool_execute_before', { agent: 1 }),
    ]);

    expect(second?.conversation).toBe('Xy12Ab34/1');
    expect(second?.conversation).not.toBe(first?.conversation);
  });

  test.each([
    ['has no session', { session: '' }],
    ['has no tool', { tool: 7 }],
    ['is of no kind we know', { event: 'monologue_start' }],
  ])('is none of ours where it %s', async (_, rest) => {
    expect(await read('tool_execute_before', rest)).toBeUndefined();
  });

  test('may have arguments that are no object', async () => {
    const moment = await read('tool_execute_before', { args: 'cat' });

    expect(moment?.events).toEqual([
      { kind: 'before', call: { tool: 'code_execution_tool', id: 'c1' } },
    ]);
  });
});

describe('what it is told', () => {
  /** Advice as it really is, with more than one part. */
  async function realAdvice(): Promise<{ readonly text: string; readonly log: string }> {
    const advisor = new Advisor({ stepBackFailures: 2, stepBackWindow: 4 });
    const { events } = (await read('tool_execute_after', { output: MISSING }))!;
    for (let times = 0; times < 5; times++) {
      for (const event of events) {
        if (event.kind !== 'after') throw new Error(`expected an end, got ${event.kind}`);
        const { advice } = advisor.after(event.call, event.result);
        if (advice !== undefined && advice.parts.length > 1) return advice;
      }
    }
    throw new Error('the advisor was silent');
  }

  test('advice, and the line for the log that the advisor would write', async () => {
    const { text, log } = await realAdvice();

    expect(text.startsWith(ADVICE_PREFIX)).toBe(true);
    expect(log.startsWith(LOG_PREFIX)).toBe(true);
    expect(JSON.parse(agentZeroHost.write(payload(''), { advice: text }))).toEqual({
      advice: text,
      log,
    });
  });

  test('a veto, with the advice that waited', () => {
    expect(JSON.parse(agentZeroHost.write(payload(''), { veto: 'No.', advice: 'Then.' }))).toEqual({
      veto: 'No.\n\nThen.',
      log: '[Fallback] No.  Then.',
    });
  });

  test('nothing, as an empty object', () => {
    expect(agentZeroHost.silence).toBe('{}');
  });
});
