import type { JsonObject } from '@holdfast/core';
import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import { textOf } from '../../proxy/json/json-fields.ts';
import { runningSidecar } from '../running-sidecar.case.ts';
import type { RunningSidecar } from '../running-sidecar.case.ts';
import { HOOK_STORE_LIMITS } from './hook-store.ts';

const BEFORE = 'hooks/tool_execute_before';
const AFTER = 'hooks/tool_execute_after';
const ARGS = { command: 'cat notes.md' };
const MISSING = 'cat: notes.md: No such file or directory';
const response = { message: MISSING, break_loop: false, additional: { exit_code: 1 } };

async function fails(
  { ask }: RunningSidecar,
  conversation: object,
): Promise<{ readonly before: JsonObject; readonly after: JsonObject }> {
  const call = { ...conversation, tool_name: 'bash' };
  const before = await ask(BEFORE, { ...call, tool_args: ARGS });
  const after = await ask(AFTER, { ...call, response });
  return { before: before.json, after: after.json };
}

describe('tool_execute_before and tool_execute_after', () => {
  test('put advice behind the message of the second failure, and veto the third call', async () => {
    const sidecar = await runningSidecar();
    const conversation = { conversation_id: 'c1' };
    const first = await fails(sidecar, conversation);
    expect(first).toEqual({
      before: { tool_args: ARGS, notices: [] },
      after: { message: MISSING },
    });
    const { after } = await fails(sidecar, conversation);
    const advice = textOf(after['advice']);
    expect(advice).toContain('The same bash call failed 2 times');
    expect(after['message']).toBe(`${MISSING}\n\n${advice}`);
    const { before } = await fails(sidecar, conversation);
    expect(before['veto']).toContain('bash');
  });

  test('keep conversations apart', async () => {
    const sidecar = await runningSidecar();
    for (const id of ['c1', 'c2', '__proto__'])
      expect((await fails(sidecar, { conversation_id: id })).after).toEqual({ message: MISSING });
  });

  test('forget a conversation an hour after its last call', async () => {
    const clock = new ManualClock();
    const sidecar = await runningSidecar({ clock });
    const conversation = { conversation_id: 'c1' };
    await fails(sidecar, conversation);
    await clock.advance(HOOK_STORE_LIMITS.keepMs - 1);
    expect((await fails(sidecar, conversation)).after).toHaveProperty('advice');
    await clock.advance(HOOK_STORE_LIMITS.keepMs);
    expect((await fails(sidecar, conversation)).after).not.toHaveProperty('advice');
  });

  test('keep nothing for a client that carries its data, and give it back up to date', async () => {
    const sidecar = await runningSidecar();
    let data: JsonObject = JSON.parse('{"mine": [1], "__proto__": "kept"}') as JsonObject;
    const call = { tool_name: 'bash', tool_args: ARGS };
    const answers: JsonObject[] = [];
    for (const _ of [1, 2]) {
      const before = await sidecar.ask(BEFORE, { ...call, data });
      const after = await sidecar.ask(AFTER, {
        ...call,
        response,
        data: before.json['data'],
      });
      answers.push(after.json);
      data = after.json['data'] as JsonObject;
    }
    expect(answers[0]).not.toHaveProperty('advice');
    expect(answers[1]).toHaveProperty('advice');
    expect(Object.keys(data)).toEqual(['mine', '__proto__', '_tool_failures']);
    expect([data['mine'], Object.getOwnPropertyDescriptor(data, '__proto__')?.value]).toEqual([
      [1],
      'kept',
    ]);
    const fresh = await sidecar.ask(AFTER, { ...call, response, data: {} });
    expect(fresh.json).not.toHaveProperty('advice');
  });

  test('take data that is no state of theirs for none', async () => {
    const { ask } = await runningSidecar();
    const data = { _tool_failures: { version: 1, history: 'x', consecutive: [7] } };
    const { status, json } = await ask(BEFORE, { data, tool_name: 'bash', tool_args: ARGS });
    expect([status, json['notices']]).toEqual([200, []]);
  });

  test.each([
    ['is_error', { is_error: true }],
    ['exit_code', { exit_code: 2 }],
    ['status', { status: 500 }],
    ['signal', { signal: 'SIGKILL' }],
  ])('go by %s where the message says nothing', async (_, additional) => {
    const { ask } = await runningSidecar();
    const call = { conversation_id: 'c1', tool_name: 'lookup', tool_args: { q: 1 } };
    let advice: unknown;
    for (const message of ['It is so.', 'It is so.']) {
      const { json } = await ask(AFTER, { ...call, response: { message, additional } });
      advice = json['advice'];
    }
    expect(advice).toContain('lookup');
  });

  test('tell calls apart that run side by side, by call_id', async () => {
    const { ask } = await runningSidecar();
    const call = { conversation_id: 'c1', tool_name: 'bash' };
    const commands = { a: 'cat a.md', b: 'cat b.md' };
    for (const [call_id, command] of Object.entries(commands))
      await ask(BEFORE, { ...call, call_id, tool_args: { command } });
    const told: unknown[] = [];
    for (const call_id of ['b', 'a'])
      told.push((await ask(AFTER, { ...call, call_id, response })).json['advice'] ?? '');
    // Different calls: no loop, and one round counts as one failure.
    expect(told.join()).not.toContain('The same');
  });
});
