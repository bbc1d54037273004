import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../../errors.ts';
import type { JsonObject } from '../../types.ts';
import type { AdvisorEvent } from '../advisor-event.ts';
import { adviseConversation } from './advise-conversation.ts';

/** A call and how it ended, in no shape yet. */
interface Happening {
  readonly tool: string;
  readonly args: JsonObject;
  readonly output: string;
}

/** What a round looks like in the messages of an API. */
type Shape = (calls: readonly Happening[], round: number) => unknown[];

const openaiChat: Shape = (calls, round) => [
  {
    role: 'assistant',
    content: null,
    tool_calls: calls.map(({ tool, args }, at) => ({
      id: `${round}.${at}`,
      type: 'function',
      function: { name: tool, arguments: JSON.stringify(args) },
    })),
  },
  ...calls.map(({ output }, at) => ({
    role: 'tool',
    tool_call_id: `${round}.${at}`,
    content: output,
  })),
];

const responses: Shape = (calls, round) => [
  ...calls.map(({ tool, args }, at) => ({
    type: 'function_call',
    call_id: `${round}.${at}`,
    name: tool,
    arguments: JSON.stringify(args),
  })),
  ...calls.map(({ output }, at) => ({
    type: 'function_call_output',
    call_id: `${round}.${at}`,
    output,
  })),
];

const anthropic: Shape = (calls, round) => [
  {
    role: 'assistant',
    content: calls.map(({ tool, args }, at) => ({
      type: 'tool_use',
      id: `${round}.${at}`,
      name: tool,
      input: args,
    })),
  },
  {
    role: 'user',
    content: calls.map(({ output }, at) => ({
      type: 'tool_result',
      tool_use_id: `${round}.${at}`,
      content: output,
    })),
  },
];

const shapes: [string, Shape][] = [
  ['OpenAI chat', openaiChat],
  ['OpenAI Responses', responses],
  ['Anthropic', anthropic],
];

const bash = (command: string, output: string): Happening => ({
  tool: 'bash',
  args: { command },
  output,
});
const missing = (name: string): Happening =>
  bash(`cat /srv/${name}`, `cat: /srv/${name}: No such file or directory`);
const fine = bash('cat /srv/readme', 'Welcome.');
const ask = { role: 'user', content: 'Read my notes.' };

const talk = (shape: Shape, ...rounds: readonly (readonly Happening[])[]): unknown[] => [
  ask,
  ...rounds.flatMap((calls, round) => shape(calls, round)),
];

describe.each(shapes)('a conversation in the shape of %s', (_, shape) => {
  test('gets advice with the second failure, on the message that holds it', () => {
    const once = adviseConversation(talk(shape, [missing('notes')]));
    expect(once.advice).toBeUndefined();
    expect(once.calls.map(({ classification }) => classification?.type)).toEqual(['not_found']);

    const messages = talk(shape, [missing('notes')], [missing('notes')]);
    const { advice, messageIndex, call, calls } = adviseConversation(messages);
    expect(advice?.text.startsWith('⚠️ Tool guidance: ')).toBe(true);
    for (const word of ['not_found', '/srv/notes', 'find']) expect(advice?.text).toContain(word);
    expect(messageIndex).toBe(messages.length - 1);
    expect(call).toBe(calls[1]);
    expect(call).toMatchObject({ id: '1.0', tool: 'bash', round: 1, resultIndex: messageIndex });
  });

  test('gets none once the model, or the user, has gone on', () => {
    const messages = talk(shape, [missing('notes')], [missing('notes')]);
    for (const more of [{ role: 'assistant', content: 'I give up.' }, ask]) {
      const { advice, messageIndex, call, calls } = adviseConversation([...messages, more]);
      expect([advice, messageIndex, call]).toEqual([undefined, undefined, undefined]);
      expect(calls).toHaveLength(2);
    }
  });

  test('gets none when the call after the failures worked', () => {
    const messages = talk(shape, [missing('a')], [missing('b')], [fine]);
    expect(adviseConversation(messages).advice).toBeUndefined();
  });

  test('counts what was called at once as one round', () => {
    const five = ['a', 'b', 'c', 'd', 'e'].map(missing);
    const { advice, calls } = adviseConversation(talk(shape, five));
    expect(advice).toBeUndefined();
    expect(calls.map(({ round }) => round)).toEqual([0, 0, 0, 0, 0]);
  });

  test('says of several calls of a round in one text, and steps back last', () => {
    const deploy = (stage: string): Happening => ({
      tool: 'deploy',
      args: { stage },
      output: 'Error: connect ECONNREFUSED 10.0.0.7:443',
    });
    const rounds = ['a', 'b', 'c', 'd', 'e'].map((name) => [missing(name), deploy(name)]);
    const advices = rounds.map(
      (_, at) => adviseConversation(talk(shape, ...rounds.slice(0, at + 1))).advice,
    );

    const rules = advices.map((advice) => advice?.parts.map(({ rule }) => rule) ?? []);
    expect(rules.slice(0, 3)).toEqual([
      [],
      ['tool-failures'],
      ['tool-failures', 'same-error', 'step-back'],
    ]);
    expect(rules.slice(3).flat()).not.toContain('step-back');
    expect(advices[2]?.text.match(/Tool guidance/g)).toHaveLength(1);
    for (const tool of ['bash', 'deploy']) expect(advices[2]?.text).toContain(`${tool} failed`);
  });

  test('is read the same with our advice in it', () => {
    const again = [missing('notes')];
    const plain = adviseConversation(talk(shape, again, again, again));
    const { text } = adviseConversation(talk(shape, again, again)).advice!;
    const told = [{ ...missing('notes'), output: `${missing('notes').output}\n\n${text}` }];
    const seen = adviseConversation(talk(shape, again, told, again));

    expect(seen.calls).toEqual(plain.calls);
    expect(seen.advice).toEqual(plain.advice);
  });

  test('does not take advice for an error of a call that worked', () => {
    const told = { ...fine, output: `${fine.output}\n\n⚠️ Tool guidance: Error: no such file` };
    const { calls } = adviseConversation(talk(shape, [told]));
    expect(calls[0]?.classification?.status).not.toBe('failure');
  });
});

describe('advice that came back with a conversation', () => {
  test('is found again, with where it belongs, once the model has gone on', () => {
    const messages = talk(openaiChat, [missing('notes')], [missing('notes')]);
    const { advice, messageIndex, call } = adviseConversation(messages);
    const reply = { role: 'assistant', content: 'I look elsewhere.' };
    const { earlier } = adviseConversation([...messages, reply, ask]);
    expect(earlier).toEqual([{ advice, messageIndex, call, messageCount: messages.length }]);
  });

  test('was never said where the user spoke before the model', () => {
    const messages = talk(openaiChat, [missing('notes')], [missing('notes')]);
    const reply = { role: 'assistant', content: 'I look elsewhere.' };
    expect(adviseConversation([...messages, ask, reply]).earlier).toEqual([]);
  });

  test('is asked for with the call that it is on', () => {
    const asked: unknown[] = [];
    const isOwnAdvice = (text: string, callId: string | undefined): boolean => {
      asked.push([text, callId]);
      return false;
    };
    const output = 'no\n\n⚠️ Tool guidance: 1\n\n⚠️ Tool guidance: 2';
    expect(
      adviseConversation(talk(openaiChat, [bash('ls', output)]), { isOwnAdvice }).calls,
    ).toHaveLength(1);
    expect(asked).toContainEqual(['⚠️ Tool guidance: 2', '0.0']);
  });

  test('is no veto, where none was given for that call', () => {
    const [stopped] = [bash('ls', 'This bash call was not run: cat: x: No such file or directory')];
    const statusWith = (isOwn: boolean): string | undefined =>
      adviseConversation(talk(openaiChat, [stopped]), { isOwnAdvice: () => isOwn }).calls[0]
        ?.classification?.status;
    expect(statusWith(true)).toBe('neutral');
    expect(statusWith(false)).not.toBe('neutral');
  });
});

describe('a conversation', () => {
  test('may change its shape in the middle', () => {
    const messages = [
      ask,
      ...openaiChat([missing('notes')], 0),
      ...anthropic([missing('notes')], 1),
      ...responses([missing('notes')], 2),
    ];
    const { advice, calls } = adviseConversation(messages);
    expect(calls.map(({ round }) => round)).toEqual([0, 1, 2]);
    expect(advice?.text).toContain('3 times');
  });

  test('gets advice when the user asks to try the same again', () => {
    const again = { role: 'user', content: 'Try that again.' };
    const [first, second] = [openaiChat([missing('notes')], 0), openaiChat([missing('notes')], 1)];
    const { advice } = adviseConversation([ask, ...first, again, ...second]);
    expect(advice?.text).toContain('not_found');
  });

  test('forgets what looked like a loop when the user speaks', () => {
    const look = bash('git log --oneline', 'f2b7dbf The drip measures on');
    const same = openaiChat([look], 0);
    expect(adviseConversation([ask, ...same, ...same, ...same]).advice?.text).toContain(
      'same result',
    );
    expect(adviseConversation([ask, ...same, ...same, ask, ...same]).advice).toBeUndefined();
  });

  test('believes the flag of the host over the text', () => {
    const flagged = (isError: boolean): unknown[] =>
      [0, 1].flatMap((round) => [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: `${round}`, name: 'deploy', input: { round } }],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: `${round}`, is_error: isError, content: 'gone' },
          ],
        },
      ]);
    expect(adviseConversation(flagged(true)).advice).toBeDefined();
    expect(adviseConversation(flagged(false)).advice).toBeUndefined();
  });

  test('does not count calls that an advisor has stopped', () => {
    const stopped = {
      ...missing('a'),
      output: 'This bash call was not run: it failed 2 times. Do not.',
    };
    const { advice, calls } = adviseConversation(talk(openaiChat, [missing('a')], [stopped]));
    expect(calls[1]?.classification).toMatchObject({ status: 'neutral', type: 'denied' });
    expect(advice).toBeUndefined();
  });

  test('is read from its end, as far as allowed', () => {
    const rounds = Array.from({ length: 300 }, () => [fine]);
    const { calls } = adviseConversation(talk(openaiChat, ...rounds));
    expect(calls).toHaveLength(100);
    expect(calls[0]?.id).toBe('200.0');
    const few = adviseConversation(talk(openaiChat, ...rounds), { maxMessages: 3 });
    // Of the first of the three only the result is left, and nothing says whose it is.
    expect(few.calls.map(({ id }) => id)).toEqual(['299.0']);
  });

  test('takes the options of an advisor', () => {
    const messages = talk(openaiChat, [missing('notes')]);
    const advice = [{ tool: 'bash', type: 'not_found' as const, text: 'Look in the attic.' }];
    expect(adviseConversation(messages, { toolThreshold: 1, advice }).advice?.text).toContain(
      'attic',
    );
  });

  test('tells of the advice that is given now, not of that in the past', () => {
    const events: AdvisorEvent[] = [];
    const onEvent = (event: AdvisorEvent): unknown => events.push(event);
    const again = [missing('notes')];
    adviseConversation(talk(openaiChat, again, again, [fine]), { onEvent });
    expect(events).toEqual([]);
    adviseConversation(talk(openaiChat, again, again), { onEvent });
    expect(events.map(({ type }) => type)).toEqual(['advice-given']);
  });

  test.each([{ maxMessages: 0 }, { veto: 'on' }, { speakAt: 'before' }, { threshold: 1 }])(
    'refuses the option %j',
    (options) => {
      expect(() => adviseConversation([], options as never)).toThrow(InvalidOptionError);
    },
  );

  test.each([['Read my notes.'], [undefined], [{}], [[null, 7, 'text', [], {}]]])(
    'that is none has no advice: %j',
    (messages) => {
      const { advice, calls } = adviseConversation(messages as never);
      expect([advice, calls]).toEqual([undefined, []]);
    },
  );

  test('gives the same answer each time, and leaves its messages as they are', () => {
    const word = fc.constantFrom(missing('a'), missing('b'), fine, bash('true', ''));
    const shape = fc.constantFrom(openaiChat, responses, anthropic);
    const rounds = fc.array(fc.tuple(shape, fc.array(word, { minLength: 1, maxLength: 3 })), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(rounds, (script) => {
        const messages = [ask, ...script.flatMap(([write, calls], at) => write(calls, at))];
        const copy = structuredClone(messages);
        const first = adviseConversation(messages);
        expect(adviseConversation(messages)).toEqual(first);
        expect(messages).toEqual(copy);
        expect(first.calls).toHaveLength(script.flatMap(([, calls]) => calls).length);
        const statuses = first.calls.map(({ classification }) => classification?.status);
        for (const status of statuses)
          expect(['success', 'failure', 'unknown', 'neutral']).toContain(status);
      }),
    );
  });
});
