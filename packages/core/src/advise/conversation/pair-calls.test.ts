import { describe, expect, test } from 'vitest';
import type { ConversationStep } from './conversation-step.ts';
import { pairCalls } from './pair-calls.ts';
import type { PairedConversation } from './pair-calls.ts';

/** `ls#1` is a call of ls with the id 1, `=1` its result; `ls` and `=` have no id; `=@ls` names the tool. */
function conversation(script: string): PairedConversation {
  const steps = script.split(' ').map((word): ConversationStep => {
    if (word === 'user' || word === 'text') return { type: word };
    const [name = '', id] = word.split('#');
    if (!word.startsWith('=')) return { type: 'call', id, tool: name, arguments: {} };
    const [answered, tool] = name.slice(1).split('@');
    return {
      type: 'result',
      id: answered === '' ? undefined : answered,
      tool,
      output: word,
      isError: undefined,
      exitCode: undefined,
    };
  });
  return pairCalls(steps.map((step, index) => ({ step, index })));
}

/** Rounds as `tool:index of its result`; a `!` says that the user spoke before. */
const rounds = (script: string): string =>
  conversation(script)
    .rounds.map(
      ({ isAfterUser, calls }) =>
        (isAfterUser ? '!' : '') +
        calls.map(({ call, resultIndex }) => `${call.tool}:${resultIndex ?? '?'}`).join(','),
    )
    .join(' ');

describe('calls and results', () => {
  test.each([
    ['belong together by id', 'a#1 b#2 =2 =1', 'a:3,b:2'],
    ['that follow one another are rounds', 'a#1 =1 b#2 =2', 'a:1 b:3'],
    ['may be waiting', 'a#1 b#2 =2', 'a:?,b:2'],
    ['may come after a word of the user', 'user a#1 =1 user b#2 =2', '!a:2 !b:5'],
    ['without ids belong together in order', 'a b = =', 'a:2,b:3'],
    ['without ids belong together by name', 'a b =@b =@a', 'a:3,b:2'],
    ['with ids that are used again belong to the newest', 'a#0 =0 b#0 =0', 'a:1 b:3'],
    ['with ids that were left open belong to the newest', 'a#0 b#1 =1 c#0 =0', 'a:?,b:2 c:4'],
    ['with one id for two calls of a round go in order', 'a#0 b#0 =0 =0', 'a:2,b:3'],
    ['that come twice count once', 'a#1 =1 =1 b#2 =2', 'a:1 b:4'],
    ['without a call are passed over', '=9 a#1 =1', 'a:2'],
    ['are told from those of unknown ids', 'a#1 =9 =1', 'a:2'],
    ['keep an interrupted round together', 'a#1 b#2 =1 user =2', 'a:2,b:4'],
  ])('%s', (_, script, expected) => {
    expect(rounds(script)).toBe(expected);
  });

  test.each([
    ['a#1 =1', true],
    ['a#1 =1 text', false],
    ['a#1 =1 user', false],
    ['a#1 user =1', false],
    ['user a#1 =1', true],
    ['a#1 =1 b#2', false],
    ['user', false],
  ])('%s: the model is next to speak about results: %s', (script, expected) => {
    expect(conversation(script).endsWithResults).toBe(expected);
  });

  test('of one message are paired in linear time', () => {
    const names = Array.from({ length: 50_000 }, (_, index) => `t${index % 7}`);
    const script = [...names, ...names.map((name, at) => (at % 2 ? `=@${name}` : '='))].join(' ');
    expect(conversation(script).rounds[0]?.calls.length).toBe(50_000);
  });
});
