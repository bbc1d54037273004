import { Advisor, classify } from '@holdfast/core/advise';
import { describe, expect, test } from 'vitest';
import type { HookEvent } from '../hook/hook-host.ts';
import { openCodeHost } from './opencode-host.ts';
import { ended, failed, RECORDED } from './opencode-payloads.case.ts';

async function eventOf(payload: Parameters<typeof openCodeHost.read>[0]): Promise<HookEvent> {
  const moment = await openCodeHost.read(payload);
  return moment!.events[0]!;
}

describe('what the plugin tells', () => {
  test.each(RECORDED)('$name is $status', async ({ payload, status, type }) => {
    const event = await eventOf(payload);
    if (event.kind !== 'after') throw new Error(`it is ${event.kind}`);
    const { call, result } = event;

    const found = classify({ arguments: call.arguments!, ...result });
    expect({ status: found.status, type: found.type }).toEqual({ status, type });
  });

  test('that it took too long is said in the words of opencode', async () => {
    const slow = RECORDED.find(({ type }) => type === 'timeout')!;
    const event = await eventOf(slow.payload);
    if (event.kind !== 'after') throw new Error(`it is ${event.kind}`);

    expect(classify(event.result).evidence).toMatch(
      /^shell tool terminated command after exceeding timeout 300 ms/,
    );
  });

  test('a call that we stopped did not fail', async () => {
    const advisor = new Advisor({ veto: 'on' });
    const call = { tool: 'mcp_long-name', arguments: {} };
    for (const output of ['not found', 'not found'])
      advisor.after(call, { tool: call.tool, isError: true, output });
    const { veto } = advisor.before(call);

    expect(await eventOf(failed(call.tool, veto!.text))).toMatchObject({
      result: { notRun: 'denied' },
    });
  });

  test('a call of a tool that does not exist is of the name that the model used', async () => {
    const unknown = RECORDED.find(({ type }) => type === 'unknown_tool')!;

    expect(await eventOf(unknown.payload)).toMatchObject({ call: { tool: 'reed' } });
  });

  test('calls that could not be read differ by what is wrong with them', async () => {
    const [one, other] = await Promise.all(
      ['x', 'y'].map((error) => eventOf(ended('invalid', { args: { tool: 'bash', error } }))),
    );

    expect(one).toMatchObject({ call: { tool: 'bash', arguments: { error: 'x' } } });
    expect(other).toMatchObject({ call: { tool: 'bash', arguments: { error: 'y' } } });
  });

  test('the calls of one answer are one round, and an id that comes again is another call', async () => {
    const first = await eventOf(ended('bash', { messageID: 'msg_1', callID: 'call_0' }));
    const again = await eventOf(failed('bash', 'no', { messageID: 'msg_2', callID: 'call_0' }));

    expect(first).toMatchObject({ call: { id: 'msg_1/call_0', round: 'msg_1' } });
    expect(again).toMatchObject({ call: { id: 'msg_2/call_0', round: 'msg_2' } });
  });

  test('without the message the id of the call has to do', async () => {
    const { messageID: _, ...payload } = ended('bash', {});

    const event = await eventOf(payload);
    expect(event).toMatchObject({ call: { id: 'call_0' } });
    expect(event).not.toHaveProperty('call.round');
  });
});

describe('when it speaks', () => {
  test.each([
    ['tool.execute.after', 'after', true],
    ['tool.failed', 'after', true],
    ['tool.execute.before', 'before', false],
    ['chat.message', 'user-spoke', false],
  ])('%s is %s', async (event, kind, canSpeak) => {
    const moment = await openCodeHost.read({ ...ended('bash', {}), event });

    expect(moment).toMatchObject({ conversation: 'ses_1', events: [{ kind }], canSpeak });
  });

  test.each([
    ['no session', { event: 'chat.message' }],
    ['no tool', { event: 'tool.execute.after', sessionID: 'ses_1' }],
    ['another event', { ...ended('bash', {}), event: 'session.idle' }],
    ['nothing', {}],
  ])('%s is none of ours', async (_, payload) => {
    expect(await openCodeHost.read(payload)).toBeUndefined();
  });

  test('it says what there is to say, and nothing else', () => {
    const said = (answer: Parameters<typeof openCodeHost.write>[1]) =>
      JSON.parse(openCodeHost.write({}, answer)) as unknown;

    expect(said({ advice: 'a "b"' })).toEqual({ advice: 'a "b"' });
    expect(said({ veto: 'no' })).toEqual({ veto: 'no' });
    expect(JSON.parse(openCodeHost.silence)).toEqual({});
  });
});
