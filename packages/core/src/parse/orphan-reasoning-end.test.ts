import { describe, expect, test } from 'vitest';
import { allCuts, readChunks } from './chunking.case.ts';
import { createToolCallStream } from './create-tool-call-stream.ts';
import { createDefaultRegistry } from './default-registry.ts';
import { parseToolCalls } from './parse-tool-calls.ts';

const CALL = '<tool_call>{"name":"Bash","arguments":{"command":"rm -rf /"}}</tool_call>';
const codes = (issues: readonly { readonly code: string }[]): string[] =>
  issues.map(({ code }) => code);

/** Ends of reasoning that count: nothing before them is a call. */
const COUNTED: readonly (readonly [string, string])[] = [
  ['on a line of its own', `I could ${CALL}\nBut no.\n</think>\nHi`],
  ['at the end of a line', `I could ${CALL}\nBut no.</think>\nHi`],
  ['at the end of the text', `I could ${CALL}\nBut no.</think>`],
  ['before spaces at the end of a line', `I could ${CALL}\nBut no.</think> \t\r\nHi`],
  ['at the start of a line', `I could ${CALL}\nBut no.\n  </think> Hi`],
  ['directly after the call', `${CALL}</think>Hi`],
  ['directly before another call', `I could ${CALL}\nBut no.</think> ${CALL}`],
  ['of another name', `I could ${CALL}\nBut no.\n</thinking>\nHi`],
  ['of another family', `I could ${CALL}\nBut no.\n[/THINK]Hi`],
  ['after one in inline code', `I end at \`</think>\`. ${CALL}\n</think>\nHi`],
  ['after a closed fence', `\`\`\`text\n</think>\n\`\`\`\n${CALL}\n</think>\nHi`],
  ['after a quotation mark', `${CALL}\nIt is "no"</think>\nHi`],
];

/** The same tags where they are mentioned: the call before them stays a call. */
const MENTIONED: readonly (readonly [string, string])[] = [
  ['in the middle of a line', `${CALL}\nReasoning ends with </think> in this format.`],
  ['in inline code', `${CALL}\nIt is \`</think>\`\nDone.`],
  ['in quotation marks', `${CALL}\nIt is "</think>"\nDone.`],
  ['in a fence', `${CALL}\n\`\`\`xml\n</think>\n\`\`\``],
  ['in a block quote', `${CALL}\n> I see\n> </think>\nDone.`],
  ['in the arguments of a call', CALL.replace('rm -rf /', String.raw`\n</think>\n`)],
  ['after a block with a beginning', `<think>a</think>${CALL}\n</think>\nHi`],
  ['as a token of other messages', `${CALL}<|end|>`],
];

describe('an end of reasoning that the text did not begin', () => {
  test.each(COUNTED)('makes reasoning of the call before it: %s', (_, text) => {
    const { calls, issues, segments } = parseToolCalls(text);
    expect(calls).toHaveLength(text.endsWith(`</think> ${CALL}`) ? 1 : 0);
    expect(codes(issues)).toContain('orphan-reasoning-end');
    expect(segments.map(({ raw }) => raw).join('')).toBe(text);
  });

  test.each(MENTIONED)('leaves the call before it: %s', (_, text) => {
    const { calls, issues } = parseToolCalls(text);
    expect(calls).toHaveLength(1);
    expect(codes(issues)).toEqual([]);
  });

  test.each([...COUNTED, ...MENTIONED])('means the same however the text is cut: %s', (_, text) => {
    const { calls, reasoning, issues, ...whole } = parseToolCalls(text, { nextId: () => 'id' });
    const late = readChunks([text]);
    for (const chunks of allCuts(text)) {
      const held = readChunks(chunks, { startsInReasoning: 'auto' });
      expect(held).toMatchObject({ calls, text: whole.text, reasoning, issues });
      expect(held.source).toBe(text);
      expect(held.wrongFragments).toEqual([]);
      const { calls: emitted, issues: reported, source } = readChunks(chunks);
      expect({ emitted, reported, source }).toEqual({
        emitted: late.calls,
        reported: late.issues,
        source: text,
      });
    }
  });

  test('separates the considered call and leaves the text before it', () => {
    const { text, reasoning, issues } = parseToolCalls(`I could ${CALL}\nBut no.\n</think>\nHi`);
    expect({ text, reasoning }).toEqual({ text: 'I could \nHi', reasoning: `${CALL}\nBut no.\n` });
    expect(issues[0]?.offset).toBe(`I could ${CALL}\nBut no.\n`.length);
  });

  test('costs no more where many are mentioned', () => {
    const text = '<{[/THINK]rgu'.repeat(40_000);
    const started = performance.now();
    expect(parseToolCalls(text).text).toBe(text);
    expect(performance.now() - started).toBeLessThan(3000);
  });

  test('is reported where no call is before it', () => {
    const { text, reasoning, issues } = parseToolCalls('Say hello.\n</think>\nHello.');
    expect({ text, reasoning }).toEqual({ text: 'Say hello.\n</think>\nHello.', reasoning: '' });
    expect(codes(issues)).toEqual(['orphan-reasoning-end']);
  });

  test.each([
    { startsInReasoning: false, calls: 1, reported: ['orphan-reasoning-end'] },
    { startsInReasoning: true, calls: 0, reported: [] },
    { reasoning: 'text', calls: 1, reported: [] },
    { callsInReasoning: 'read', calls: 1, reported: [] },
    { callsInReasoning: 'ignore', calls: 0, reported: ['orphan-reasoning-end'] },
  ] as const)('follows the options %o', ({ calls, reported, ...options }) => {
    const result = parseToolCalls(`I could ${CALL}\nBut no.\n</think>\nHi`, options);
    expect(result.calls).toHaveLength(calls);
    expect(codes(result.issues)).toEqual(reported);
  });

  test('is seen before a parser that reads only complete texts', () => {
    const registry = createDefaultRegistry().register(
      {
        name: 'shout',
        canParse: (text) => text.includes('RUN'),
        parse: () => [{ name: 'run', arguments: {}, raw: 'RUN' }],
        validate: () => true,
      },
      100,
    );
    expect(parseToolCalls('I could RUN.\n</think>\nHi RUN', { registry })).toMatchObject({
      calls: [{ name: 'run' }],
      reasoning: 'I could RUN.\n',
      text: '\nHi ',
    });
  });
});

describe('a stream that may begin in reasoning', () => {
  const told: string[] = [];
  const open = (): ReturnType<typeof createToolCallStream> => {
    told.length = 0;
    return createToolCallStream({
      startsInReasoning: 'auto',
      onEvent: (event) => told.push(event.type === 'text-delta' ? event.text : event.type),
    });
  };

  test('emits the text before a call and holds what follows', () => {
    const stream = open();
    stream.feed('Let me look. ');
    stream.feed(`${CALL}\nOne moment.`);
    expect(told).toEqual(['Let me look. ']);
    stream.end();
    expect(told.slice(1)).toEqual(['call-start', 'call-delta', 'call-end', '\nOne moment.']);
  });

  test('emits a held call once the text is known not to begin in reasoning', () => {
    const stream = open();
    stream.feed(CALL);
    expect(told).toEqual([]);
    stream.release();
    expect(told.at(-1)).toBe('call-end');
    stream.feed(CALL);
    expect(told.slice(3)).toEqual(['call-start', 'call-delta', 'call-end']);
  });

  test('holds nothing after a reasoning block', () => {
    const stream = open();
    stream.feed(`<think>Hm.</think>${CALL}`);
    expect(told.at(-1)).toBe('call-end');
  });

  test('stops holding at the size that is searched', () => {
    const events: string[] = [];
    const stream = createDefaultRegistry({ limits: { maxInputBytes: 200 } }).createStream({
      startsInReasoning: 'auto',
      onEvent: ({ type }) => events.push(type),
    });
    stream.feed(CALL);
    stream.feed('x'.repeat(200));
    expect(events).toContain('call-end');
  });
});
