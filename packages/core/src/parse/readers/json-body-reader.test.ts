import { describe, expect, test } from 'vitest';
import { allCuts, readChunks } from '../chunking.case.ts';
import type { Told } from '../chunking.case.ts';

/** Reads `text` whole, in two pieces cut at each place, and by characters: all of them have to say the same. */
function read(text: string): Pick<Told, 'calls' | 'text' | 'issues'> {
  const [whole, ...others] = allCuts(text).map((chunks) => {
    const { calls, text: rest, issues } = readChunks(chunks);
    return { calls, text: rest, issues };
  });
  for (const other of others) expect(other).toEqual(whole);
  return whole ?? { calls: [], text: '', issues: [] };
}

const FIRST = '{"name": "run", "arguments": {"command": "ls"}';
const SECOND = '{"name": "run", "arguments": {"command": "pwd"}}';
const meant = (command: string, lossy = false) => ({
  name: 'run',
  arguments: { command },
  complete: true,
  lossy,
});

describe('two calls of which the first lost its last brace', () => {
  test.each([
    ['in one block', `<tool_call>\n${FIRST}\n${SECOND}\n</tool_call>`],
    ['in one block, with a semicolon', `<tool_call>\n${FIRST}; ${SECOND}\n</tool_call>`],
    ['with the next block', `<tool_call>\n${FIRST}\n<tool_call>\n${SECOND}\n</tool_call>`],
    ['in function tags', `<function>${FIRST}\n${SECOND}</function>`],
    ['between brackets', `[TOOL_CALL]${FIRST}\n${SECOND}[/TOOL_CALL]`],
    ['in a list', `<tools>[${FIRST}, ${SECOND}]</tools>`],
    ['in a list of Mistral', `[TOOL_CALLS] [${FIRST}, ${SECOND}]`],
    ['in an envelope', `{"tool_calls": [${FIRST}, ${SECOND}]}`],
  ])('are both read %s', (_where, text) => {
    const { calls, text: rest } = read(text);
    expect(calls).toMatchObject([meant('ls'), meant('pwd')]);
    expect(calls[0]?.repairs).toContain('missing-brace');
    expect(rest.trim()).toBe('');
  });
});

describe('two calls of which the first lost a closing quote', () => {
  const broken = FIRST.replace('"ls"', '"ls}');

  test.each([
    ['in one block', `<tool_call>\n${broken}\n${SECOND}\n</tool_call>`],
    ['in a list', `<tools>[${broken}, ${SECOND}]</tools>`],
    ['between brackets', `[TOOL_CALL]${broken}\n${SECOND}[/TOOL_CALL]`],
    ['with the next block', `<tool_call>\n${broken}\n<tool_call>\n${SECOND}\n</tool_call>`],
  ])('are both read %s, the first as lossy', (_where, text) => {
    expect(read(text).calls).toMatchObject([meant('ls', true), meant('pwd')]);
  });
});

describe('a broken call after a good one', () => {
  test('comes back as text with an issue', () => {
    const rest = '\n{"name":"delete","arguments":{"path":"/x</tool_call> tail';
    const result = read(`<tool_call>{"name":"a","arguments":{}}${rest}`);
    expect(result).toMatchObject({ calls: [{ name: 'a' }], text: rest });
    expect(result.issues).toMatchObject([{ code: 'unreadable-call', offset: 39 }]);
  });

  test('is reported as incomplete where the text ends in it', () => {
    const result = read('<tools>[{"name":"a","arguments":{}}, {"name":"b","arg');
    expect(result).toMatchObject({ calls: [{ name: 'a' }], text: ', {"name":"b","arg' });
    expect(result.issues).toMatchObject([{ code: 'incomplete-call' }]);
  });

  test('is reported where the format passes over it', () => {
    const good = '{"name":"a","arguments":{}}';
    for (const body of [`${good}\n{what is this}`, `[${good}, {"b": 1}]`]) {
      const result = read(`<tool_calls>${body}</tool_calls>`);
      expect(result).toMatchObject({ calls: [{ name: 'a' }], text: '' });
      expect(result.issues).toMatchObject([{ code: 'unreadable-call' }]);
    }
  });
});

describe('a call without arguments', () => {
  test.each(['{"name": "read"', '"name": "read"', '[{"name": "read"'])(
    'is incomplete where %j is all that came',
    (body) => {
      const text = `<tool_call>${body}</tool_call>`;
      const result = read(text);
      expect(result).toMatchObject({ calls: [], text, issues: [{ code: 'incomplete-call' }] });
    },
  );

  test('is one where its object is closed', () => {
    const { calls } = read('<tool_call>{"name": "now"}</tool_call>');
    expect(calls).toMatchObject([{ name: 'now', arguments: {}, complete: true }]);
  });
});

describe('a repair', () => {
  const good = '{"name": "a", "arguments": {"n": 1}}';

  test.each([
    ['values', `<tool_call>${good}\n{'name': 'b', 'arguments': {'n': 2}}\n${good}</tool_call>`],
    ['items', `<tools>[${good}, {'name': 'b', 'arguments': {'n': 2}}, ${good}]</tools>`],
    ['items of Mistral', `[TOOL_CALLS] [${good}, {'name': 'b', 'arguments': {'n': 2}}, ${good}]`],
  ])('is listed on the one of several %s that needed it', (_what, text) => {
    const { calls } = read(text);
    expect(calls.map(({ repairs }) => repairs)).toEqual([[], ['single-quotes'], []]);
  });

  test('makes only the call lossy that it may have changed', () => {
    const { calls } = read(
      `<tools>[${good}, {"name": "b", "arguments": {"n": ...}}, ${good}]</tools>`,
    );
    expect(calls.map(({ lossy }) => lossy)).toEqual([false, true, false]);
  });
});

describe('a lossy call', () => {
  test.each([
    [
      'a key of the next',
      '{"name": "a", "arguments": {"s": "x\nname": "b", "arguments": {"t": 1}}',
    ],
    ['all of the next', '{"name": "a", "arguments": {\n{"arguments": {"t": 1}}'],
    ['its keys twice', '{"name": "a", "arguments": {"t": 1} "name": "b", "arguments": {"t": 2}}'],
  ])('is what may hold %s', (_what, body) => {
    const { calls } = read(`<tool_call>${body}</tool_call>`);
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter(({ lossy, complete }) => complete && !lossy)).toEqual([]);
  });
});
