import { classify, maskSecrets } from '@holdfast/core/advise';
import { checkToolCall } from '@holdfast/core/check';
import { createDefaultRegistry, createToolCallStream, DIALECTS } from '@holdfast/core/parse';
import { describe, expect, test } from 'vitest';
import { safeText } from '../../packages/gateway/src/cli/safe-text.ts';
import { shortLine } from '../../packages/gateway/src/observe/short-line.ts';
import { measureGrowth, timeOf } from '../support/growth.ts';

/** Time stands still, so that the limit of time cannot hide what is slow. */
const clock = { now: () => 0 };
const registry = createDefaultRegistry();
const isFull = process.env['HOLDFAST_FULL'] === '1';

const repeated = (unit: string, length: number, head = ''): string =>
  (head + unit.repeat(Math.ceil(length / unit.length))).slice(0, length);

/** Texts that made real parsers stand still, by what they are made of: a beginning, and what is repeated. */
const BACKTRACKING: readonly (readonly [head: string, unit: string])[] = [
  // The expressions for pythonic calls of two servers (CVE-2025-48887 and its kin).
  ['[A(A=\t)A(A=,\t', 'A=,\t'],
  ['[A(', 'A=,'],
  ['[f(', 'a=1, '],
  ['[f(a=', '\t,A=\t'],
  ['[f(g(', 'h('],
  // The expression of ReAct agents (CVE-2024-58340).
  ['Action: ', 'Action Input: '],
  ['Thought: x\nAction: ', '\n\n\n\n '],
  ['Action: a\nAction Input: ', '{"a": '],
  ['', 'Action:Action Input:'],
  // Lazy expressions between two markers.
  ['<tool_call>', '<tool_call>'],
  ['<tool_call>{"name": ', ' '],
  ['<function=', 'a'],
  ['<function=a>', '<parameter=b>'],
  ['```json\n', '`'],
  ['{"name":"a","arguments":"', '\\'],
  ['{"name":"a","arguments":{"b":"', '\\"'],
  ['', '<{'],
  ['', '[{'],
  ['', '"a":"b",'],
  ['{', "'a':'b',"],
];

/** Sixteen times as much has used up by far what a text may read again in any case. */
const LENGTH = 12_500;

/** What was measured where time grows faster than the text; undefined where it does not. */
const slowness = (text: (length: number) => string, read: (text: string) => unknown) => {
  const growth = measureGrowth((length) => void read(text(length)), LENGTH);
  return growth.isLinear ? undefined : growth;
};

describe('exponential backtracking on model text', () => {
  test.each(BACKTRACKING)('%j and then %j over and over is read in linear time', (head, unit) => {
    const text = (length: number): string => repeated(unit, length, head);
    expect(slowness(text, (each) => registry.parse(each, { clock }))).toBeUndefined();
  });

  test.each([
    ['secrets are masked', (text: string) => maskSecrets(text)],
    [
      'a result is classified',
      (text: string) => classify({ tool: 'shell', output: text, isError: true }),
    ],
    ['a text is made safe for a terminal', (text: string) => safeText(text)],
    ['a line is cut short', (text: string) => shortLine(text, maskSecrets)],
  ])('%s in linear time', (_, read) => {
    for (const unit of [
      'password=',
      'ey.ey.',
      '://a:',
      'Bearer ',
      '\u001b[',
      'a@',
      '-----BEGIN ',
      'SG.',
      'ey-',
      'token: "',
      '--token ',
      String.raw`\n`,
      'x-a-',
    ]) {
      expect(
        slowness((length) => repeated(unit, length), read),
        unit,
      ).toBeUndefined();
    }
  });

  test('a pattern of a schema that makes others backtrack is answered in linear time', () => {
    const tool = (pattern: string) => ({
      name: 'a',
      parameters: { type: 'object', properties: { x: { type: 'string', pattern } } },
    });
    for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(x+x+)+y', '^(\\w+\\s?)*$']) {
      const check = (text: string): unknown =>
        checkToolCall({ name: 'a', arguments: { x: text } }, [tool(pattern)]);
      expect(
        slowness((length) => `${repeated('a', length / 10)}!`, check),
        pattern,
      ).toBeUndefined();
    }
  });
});

describe('floods of markers', () => {
  /** Of every dialect, what its sample begins with, cut where a reader has to wait for more. */
  const shares = isFull ? Array.from({ length: 20 }, (_, at) => (at + 1) / 20) : [0.4, 0.9];
  const floods = DIALECTS.flatMap(({ parser: { sample } }) =>
    shares.map((share) => sample.slice(0, Math.ceil(sample.length * share))),
  );
  const markers = ['<tool_call>', '</tool_call>', '<tool_cal', '<think>', '</think>', '```', '<|'];

  test('of every dialect, whole and broken, are read in linear time', () => {
    for (const unit of new Set([...floods, ...markers].filter((each) => each !== ''))) {
      const slow = slowness(
        (length) => repeated(unit, length),
        (text) => registry.parse(text, { clock }),
      );
      expect(slow, unit).toBeUndefined();
    }
  });

  test('do not lose a character', () => {
    for (const unit of markers) {
      const text = repeated(unit, 20_000);
      const { segments } = registry.parse(text, { clock });
      expect(segments.map(({ raw }) => raw).join('')).toBe(text);
    }
  });
});

describe('streams that would be read again and again', () => {
  const argument = 'x = \\"y\\";\\n'.repeat(10_000).slice(0, 100_000).replace(/\\$/, '');
  const body = `{"name":"write","arguments":{"content":"${argument}"}}`;

  /** Milliseconds for each tenth of the chunks. */
  function timesOf(text: string, size: number): { readonly tenths: number[]; calls: number } {
    let calls = 0;
    const stream = createToolCallStream({
      clock,
      onEvent: ({ type }) => {
        if (type === 'call-end') calls++;
      },
    });
    const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    const tenth = Math.ceil(chunks.length / 10);
    const tenths = Array.from({ length: 10 }, (_, at) =>
      timeOf(() => {
        for (const chunk of chunks.slice(at * tenth, (at + 1) * tenth)) stream.feed(chunk);
      }),
    );
    stream.end();
    return { tenths, calls };
  }

  test('an argument of 100 KB in chunks of four characters costs what one read costs', () => {
    const text = `<tool_call>${body}</tool_call>`;
    const best = { last: Infinity, all: Infinity };
    for (let tries = 0; tries < 10; tries++) {
      const { tenths, calls } = timesOf(text, 4);
      expect(calls).toBe(1);
      best.last = Math.min(best.last, tenths.at(-1)!);
      best.all = Math.min(
        best.all,
        tenths.reduce((sum, ms) => sum + ms),
      );
    }
    // Readers that begin anew with each chunk take seconds, and most of them at the end.
    expect(best.all).toBeLessThan(100);
    expect(best.last).toBeLessThan(best.all / 2);
  });

  test('a call that never ends grows by its own length', () => {
    const growth = measureGrowth((length) => {
      timesOf(`<tool_call>{"name":"write","arguments":{"content":"${'a'.repeat(length)}`, 4);
    }, LENGTH);
    expect(growth).toMatchObject({ isLinear: true });
  });
});
