import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readExceptions } from '../scripts/conformance/exceptions.ts';
import { matches } from '../scripts/conformance/matches.ts';
import { runConformance } from '../scripts/conformance/run-conformance.ts';
import { runToolCall } from '../scripts/conformance/run-tool-call.ts';
import { readVector } from '../scripts/conformance/vector.ts';

const input = 'On it. <tool_call>{"name": "read_file", "arguments": {"path": "a.txt"}}</tool_call>';
const calls = [{ name: 'read_file', arguments: { path: 'a.txt' } }];
const good = {
  id: 'good',
  format: 'hermes',
  input,
  tools: null,
  expected: { content: 'On it.', tool_calls: calls },
};

function outcomeOf(vector: object) {
  const read = readVector({ ...good, ...vector }, 'here:1');
  if (read.shape !== 'tool-call') throw new Error(`read as ${read.shape}`);
  return runToolCall(read);
}

describe('a tool-call vector', () => {
  it('passes told and untold, streamed as whole', () => {
    const passed = { told: true, untold: true, streamed: true, differences: [] };
    expect(outcomeOf({})).toEqual(passed);
  });

  it('is run untold only when no parser has its format', () => {
    expect(outcomeOf({ format: 'morse' })).toMatchObject({ told: undefined, untold: true });
  });

  it('may come in chunks alone', () => {
    const chunks = [input.slice(0, 12), input.slice(12)];
    expect(outcomeOf({ input: undefined, chunks }).untold).toBe(true);
  });

  it('fails on other arguments, and says so', () => {
    const expected = { content: null, tool_calls: [{ name: 'read_file', arguments: {} }] };
    const outcome = outcomeOf({ expected });
    expect(outcome.untold).toBe(false);
    expect(outcome.differences[0]).toMatchObject({ id: 'good', what: 'calls untold' });
  });

  it('fails on other text, unless its text does not count', () => {
    const expected = { content: 'Something else.', tool_calls: calls };
    expect(outcomeOf({ expected }).untold).toBe(false);
    expect(outcomeOf({ expected, content_asserted: false }).untold).toBe(true);
    expect(outcomeOf({ expected: { content: null, tool_calls: calls } }).untold).toBe(true);
  });

  it('counts an id only if the model wrote it', () => {
    const withId = (id: string) => ({ content: null, tool_calls: [{ ...calls[0], id }] });
    expect(outcomeOf({ expected: withId('made-up') }).untold).toBe(true);
    const written = input.replace('{"name"', '{"id": "call_7", "name"');
    expect(outcomeOf({ input: written, expected: withId('call_7') }).untold).toBe(true);
    expect(outcomeOf({ input: `call_8 ${written}`, expected: withId('call_8') }).untold).toBe(
      false,
    );
  });

  it('that is a prefix expects the name of the call it ends in', () => {
    const expected = { content: 'On it.', tool_calls: [{ name: 'read_file', arguments: null }] };
    const cut = input.slice(0, input.indexOf('a.txt'));
    expect(outcomeOf({ input: cut, mode: 'partial', expected }).untold).toBe(true);
  });

  it('may begin inside reasoning', () => {
    const vector = {
      input: `I need the file.</think>${input}`,
      expected: { content: 'On it.', tool_calls: calls, reasoning: 'I need the file.' },
    };
    expect(outcomeOf({ ...vector, starts_in_reasoning: true }).untold).toBe(true);
    expect(outcomeOf({ ...vector, context: { thinking_forced_open: true } }).untold).toBe(true);
    expect(outcomeOf(vector).untold).toBe(false);
  });

  it('may want reasoning left in the text', () => {
    const thinking = `<think>Hm.</think>${input}`;
    const expected = { content: '<think>Hm.</think>On it.', tool_calls: calls };
    const context = { reasoning_format: 'none' };
    expect(outcomeOf({ input: thinking, expected, context }).untold).toBe(true);
  });

  it('whose request forbade calls wants none, and none in the text either', () => {
    const expected = { content: null, tool_calls: [] };
    const bare = input.slice('On it. '.length);
    expect(outcomeOf({ input: bare, expected, tool_choice: 'none' }).untold).toBe(true);
    const unread = '<unknown>read_file</unknown>';
    expect(outcomeOf({ input: unread, expected, tool_choice: 'none' }).untold).toBe(false);
  });
});

describe('matching', () => {
  it('takes null or a non-finite number for what JSON cannot write', () => {
    expect(matches({ x: { $nonfinite: 'nan' } }, { x: null })).toBe(true);
    expect(matches({ x: { $nonfinite: 'inf' } }, { x: Infinity })).toBe(true);
    expect(matches({ x: { $nonfinite: 'nan' } }, { x: 1 })).toBe(false);
  });

  it('ignores the order of keys, not that of items', () => {
    expect(matches({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
    expect(matches([1, 2], [2, 1])).toBe(false);
    expect(matches({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  });
});

describe('the command', () => {
  let folder = '';
  const write = (name: string, ...lines: readonly (object | string)[]): string => {
    const path = join(folder, name);
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    writeFileSync(path, texts.join('\n'));
    return path;
  };
  const run = (...args: string[]): { code: number; output: string } => {
    const lines: string[] = [];
    const code = runConformance(args, (line) => lines.push(line));
    return { code, output: lines.join('\n') };
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('prints a table by source and format', () => {
    const { code, output } = run(write('calls.jsonl', good, { ...good, format: 'morse' }));
    expect(code).toBe(0);
    expect(output.replace(/ +/g, ' ')).toContain(
      '\ncalls hermes 1 1 (100.0 %) 1 (100.0 %) 1 (100.0 %) 0\n',
    );
    expect(output).toMatch(/^calls +morse +1 +- .*unsupported$/m);
  });

  it('leaves out only what it has a reason for', () => {
    expect([...readExceptions()].filter(([id, reason]) => id === '' || reason === '')).toEqual([]);
  });

  it('tells exact, silently wrong and refused JSON apart', () => {
    const path = write(
      'broken.jsonl',
      { id: 'a', kind: 'comma', input: '{"x": 1,}', expected: { x: 1 } },
      { id: 'b', kind: 'comma', input: '{"x": 1,}', expected: { x: 2 }, also: [{ x: 1 }] },
      { id: 'c', kind: 'comma', input: '{"x": 1,}', expected: { x: 2 } },
      { id: 'd', kind: 'comma', input: 'nothing here', expected: { x: 1 } },
      { id: 'e', kind: 'truncated', input: '{"x": 1}', expected: { x: 1 } },
    );
    const { output } = run(path);
    expect(output).toMatch(/^broken +comma +4 +2 \(50\.0 %\) +1 +1$/m);
    expect(output).toContain('e: not marked incomplete');
  });

  it('reads values by their schema, and texts by their type', () => {
    const path = write(
      'values.jsonl',
      { id: 'a', input: '1', schema: { type: 'integer' }, expected: 1 },
      { id: 'b', input: '1', schema: { type: ['integer', 'string'] }, expected: 1 },
      { id: 'c', input: ['1'], schema: '__undefined__', expected: ['1'] },
      { id: 'd', input: { n: '1' }, schema: { jsonSchema: { type: 'object' } }, expected: {} },
      { id: 'e', value: 'null', schema_type: ['string', 'null'], expected: null },
      { id: 'f', value: "['a']", schema_type: 'array', expected: ['a'] },
      { id: 'g', value: '[1e999]', schema_type: 'array', expected: '[1e999]' },
    );
    const { code, output } = run(path, '--min', '100');
    expect(code).toBe(0);
    expect(output).toMatch(/^values +value by schema +4 +2 \(50\.0 %\) +2 +0$/m);
    expect(output).toMatch(/^values +text by type +3 +3 \(100\.0 %\) +0 +0$/m);
  });

  it('lists what nothing can run yet, and does not fail on it', () => {
    const { code, output } = run(
      write('steps.jsonl', { id: 'a', step: 'close', output: 'f(a=1)' }),
      '--min',
      '100',
    );
    expect(code).toBe(0);
    expect(output).toContain('not applicable yet');
  });

  it('counts which failures of tools are seen, with the flags of the host and without', () => {
    const outcome = (fields: object): object => ({
      tool: 'bash',
      output: '',
      is_error_flag: null,
      exit_code: null,
      ...fields,
    });
    const path = write(
      'outcomes.jsonl',
      outcome({ id: 'a', output: 'cat: x: No such file or directory', label: 'not_found' }),
      outcome({ id: 'b', exit_code: 124, label: 'timeout' }),
      outcome({ id: 'c', exit_code: 0, output: 'error.log', label: 'success' }),
      outcome({ id: 'd', exit_code: 130, label: 'cancelled' }),
      outcome({ id: 'e', exit_code: 1, output: 'error: disk full', label: 'network' }),
    );
    const { code, output } = run(path, '--min', '70');
    expect(output).toMatch(/^outcomes +outcome +5 +3 +1\.000 +1\.000 +0\.667 +0\.667$/m);
    expect(output).toMatch(/^outcomes +outcome, text only +5 +3 +1\.000 +0\.667 +0\.333 +0\.333$/m);
    expect(output).toContain('e: outcome: expected "network", got "failure resource: error: disk');
    expect(output).toContain('failures, parent: 66.7 % is below 70 %');
    expect(code).toBe(1);
  });

  it('ends with 1 below --min', () => {
    const wrong = { ...good, expected: { content: 'No.', tool_calls: [] } };
    const path = write('half.jsonl', good, wrong);
    expect(run(path, '--min', '50').code).toBe(0);
    const { code, output } = run(path, '--min', '51');
    expect(code).toBe(1);
    expect(output).toContain('50.0 % is below 51 %');
  });

  it('runs one format alone, and every file of a folder', () => {
    write('calls.jsonl', good, { ...good, format: 'morse' });
    const { output } = run(folder, '--format', 'morse');
    expect(output).toContain('morse');
    expect(output).not.toContain('hermes');
  });

  it('shows five differences of a group, or all', () => {
    const wrong = { ...good, expected: { content: 'No.', tool_calls: [] } };
    const path = write('many.jsonl', ...Array.from({ length: 7 }, () => wrong));
    expect(run(path).output).toContain('and 2 more');
    expect(run(path, '--verbose').output.match(/good: calls/g)).toHaveLength(7);
  });

  it('ends with 2 and says what is wrong with bad input', () => {
    const broken = write('bad.txt', good, '{"id": ');
    expect(run(broken)).toMatchObject({ code: 2 });
    expect(run(broken).output).toContain('bad.txt:2: not JSON');
    const shapeless = write('odd.txt', { colour: 'blue' });
    expect(run(shapeless)).toMatchObject({ code: 2 });
    expect(run(shapeless).output).toContain('odd.txt:1: a vector of unknown shape');
    expect(run(join(folder, 'missing')).output).toContain('there is no such file or folder');
    expect(run(join(folder, 'missing')).code).toBe(2);
    expect(run().code).toBe(2);
    expect(run(broken, '--min', 'most').output).toContain('--min');
    expect(run(broken, '--colour').code).toBe(2);
  });
});
