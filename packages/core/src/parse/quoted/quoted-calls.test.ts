import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutAt, readChunks } from '../chunking.case.ts';
import { createToolCallStream } from '../create-tool-call-stream.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import type { ParseEvent } from '../parse-event.ts';

const TOOLS = [
  {
    name: 'bash',
    parameters: {
      type: 'object',
      properties: { command: { type: 'string' } },
      required: ['command'],
    },
  },
];
/** A call in the markup of several dialects; the command says which one it is. */
const WRITTEN: Readonly<Record<string, (command: string) => string>> = {
  C: (command) => `<tool_call>{"name": "bash", "arguments": {"command": "${command}"}}</tool_call>`,
  L: (command) =>
    `<tool_call>\n{"name": "bash", "arguments": {"command": "${command}"}}\n</tool_call>`,
  X: (command) =>
    `<function_calls>\n<invoke name="bash">\n<parameter name="command">${command}</parameter>\n</invoke>\n</function_calls>`,
  T: (command) => `<bash><command>${command}</command></bash>`,
  P: (command) => `[bash(command="${command}")]`,
  M: (command) => `[TOOL_CALLS]bash[ARGS]{"command": "${command}"}`,
  J: (command) => `{"name": "bash", "arguments": {"command": "${command}"}}`,
  R: (command) => `Action: bash\nAction Input: {"command": "${command}"}`,
};
const FENCE = '```';

/** Replaces `C(ls)` and its like by a call, and `~~~` by a fence. */
function write(source: string): string {
  return source
    .replaceAll('~~~', FENCE)
    .replaceAll(
      /\b([CLXTPMJR])\((\w+)\)/g,
      (_, kind: string, command: string) => WRITTEN[kind]?.(command) ?? '',
    );
}

function commandsOf(text: string): unknown[] {
  const options = { tools: TOOLS, nextId: () => 'id' };
  const result = parseToolCalls(text, options);
  expect(result.segments.map(({ raw }) => raw).join('')).toBe(text);
  for (const size of [1, 2, 7]) {
    const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    const streamed = readChunks(chunks, options);
    expect(streamed).toMatchObject({ calls: result.calls, text: result.text, source: text });
    expect(streamed.issues).toEqual(result.issues);
    expect(streamed.wrongFragments).toEqual([]);
  }
  const commands = result.calls.map((call) => call.arguments['command']);
  return result.issues.length > 0 ? [...commands, '?'] : commands;
}

/** `?` stands for one call or more that came back as text with an issue. */
describe('a call is text', () => {
  test.each<[source: string, commands: string]>([
    // inline code
    ['Use `C(ls)` to list files.', '?'],
    ['Use `C(ls)`', '?'],
    ['The model answers ``C(ls)`` then.', '?'],
    ['`C(ls)` is what I would send.', '?'],
    ['- `C(ls)`: lists files', '?'],
    ['Verwende `C(ls)`, um Dateien aufzulisten.', '?'],
    ['用 `C(ls)` 列出文件。', '?'],
    ['Run `P(ls)` first.', '?'],
    ['Run `M(ls)` first.', '?'],
    ['Write `T(ls)` here.', '?'],
    ['1. Open `L(ls)` and read on.', '?'],
    ['Both `C(ls)` and `C(pwd)` work.', '?'],
    ['`C(ls)`\nThat is how it is done.', '?'],
    ['Use `C(ls)` to list.\n\nC(pwd)', 'pwd ?'],
    ['C(pwd)\nIt is like `C(ls)` but shorter.', 'pwd ?'],
    // block quotes
    ['> C(ls)', '?'],
    ['You wrote:\n> C(ls)\nIs that right?', '?'],
    ['> Do this: C(ls)\n', '?'],
    ['  > C(ls)', '?'],
    ['>C(ls)', '?'],
    ['> > C(ls)\n\nShould I run it?', '?'],
    ['Il a écrit :\n> C(ls)\nDois-je le lancer ?', '?'],
    ['> C(rm)\n\nC(ls)', 'ls ?'],
    // fences that are not the last block, where another call is outside
    ['For example:\n~~~\nC(ls)\n~~~\nNow the real one:\nC(ls)', 'ls ?'],
    ['For example:\n~~~xml\nC(rm)\n~~~\nNow:\nC(ls)\nDone.', 'ls ?'],
    ['C(ls)\n\nIn general:\n~~~\nC(rm)\n~~~\nis dangerous.', 'ls ?'],
    ['~~~json\nJ(rm)\n~~~\nNever do that. Instead:\nC(ls)', 'ls ?'],
    ['Niemals:\n~~~\nL(rm)\n~~~\nSondern:\nL(ls)', 'ls ?'],
    ['~~~\nC(rm)\n~~~\n~~~\nC(mv)\n~~~\nC(ls)', 'ls ?'],
    ['例：\n~~~\nC(rm)\n~~~\n実行します。\nC(ls)', 'ls ?'],
    ['Before:\n~~~\nX(rm)\n~~~\nAfter:\nX(ls)', 'ls ?'],
    // steps that the model wrote to their end
    ['R(ls)\nObservation: a.txt', '?'],
    ['Thought: look\nR(ls)\n\nObservation: a.txt\nThought: done\nFinal Answer: a.txt', '?'],
    ['R(ls)\nObservation: a.txt\nR(rm)\nObservation: gone', '?'],
    ['R(rm)\n  Observation: gone\nR(ls)', 'ls ?'],
    // a sentence on both sides
    ['I would write C(ls) to list the files.', '?'],
    ['I would write C(ls) to list the files', '?'],
    ['Use L(ls) to list the files.', '?'],
    ['Schreibe C(ls) in die Konsole.', '?'],
    ['Écris C(ls) dans la console.', '?'],
    ['Escribe C(ls) en la consola.', '?'],
    ['Напиши C(ls) в консоли.', '?'],
    ['使用C(ls)来列出文件。', '?'],
    ['ファイルは C(ls) で表示できます。', '?'],
    ['파일은 C(ls) 로 볼 수 있습니다.', '?'],
    ['- write C(ls) when you want a list', '?'],
    ['Either C(ls) or C(pwd) would do it.', '?'],
    ['The markup (C(ls)) is read by the server.', '?'],
    ['Use C(ls), which lists the files.', '?'],
    ['Put T(ls) into the answer.', '?'],
    ['Put P(ls) into the answer.', '?'],
    ['See C(ls) for this.\nC(pwd)', 'pwd ?'],
  ])('%j', (source, commands) => {
    expect(commandsOf(write(source)).join(' ')).toBe(commands);
  });
});

describe('a call is a call', () => {
  test.each<[source: string, commands: string]>([
    // prose on its line
    ['Let me check. C(ls)', 'ls'],
    ['Let me check C(ls)', 'ls'],
    ['Let me check: C(ls)\nBack soon.', 'ls'],
    ['Let me check C(ls)\nand then go on.', 'ls'],
    ['Let me check C(ls) C(pwd)', 'ls pwd'],
    ['Let me check C(ls)C(pwd)\n', 'ls pwd'],
    ['Let me check C(ls). Done!', 'ls'],
    ['Let me check! C(ls) then I go on with it.', 'ls'],
    ['Ich sehe nach C(ls)', 'ls'],
    ['Ich sehe nach. C(ls) Danach geht es weiter.', 'ls'],
    ['我来看看。C(ls)', 'ls'],
    ['我来看看C(ls)', 'ls'],
    ['見てみます。C(ls) 少し待ってください。', 'ls'],
    ['확인하겠습니다. C(ls)', 'ls'],
    ['Сейчас проверю C(ls)', 'ls'],
    ['Je regarde : C(ls)', 'ls'],
    ['one C(ls) two C(pwd) three', 'ls pwd'],
    ['hello C(ls)hi', 'ls'],
    ['C(ls) and that lists the files.', 'ls'],
    ['C(ls)\n\nThat was it.', 'ls'],
    ['Now: T(ls)', 'ls'],
    ['Now P(ls)', 'ls'],
    ['Now\nM(ls)', 'ls'],
    ['1. C(ls)\n2. C(pwd)', 'ls pwd'],
    ['- C(ls)', 'ls'],
    ['**Step 1:** C(ls)', 'ls'],
    ['A < B 😀 C(ls) 😀', 'ls'],
    ['Let me check C(ls) (🔍)', 'ls'],
    // code around it
    ['`C(ls)`', 'ls'],
    ['`C(ls)`\n', 'ls'],
    ['See `file.txt`. C(ls)', 'ls'],
    ['I read `file.txt` with C(ls)', 'ls'],
    ["It's ` a stray tick. C(ls)", 'ls'],
    ['It is ``a `tick` ``. C(ls)', 'ls'],
    // fences
    ['~~~\nC(ls)\n~~~', 'ls'],
    ['~~~json\nJ(ls)\n~~~', 'ls'],
    ['Let me look:\n~~~json\nJ(ls)\n~~~', 'ls'],
    ['~~~xml\nL(ls)\n~~~\n', 'ls'],
    ['~~~\nC(ls)\n~~~\nI wait for the result.', 'ls'],
    ['First:\n~~~json\nJ(ls)\n~~~\nThat lists files.', 'ls'],
    ['C(ls)\n~~~\nC(pwd)\n~~~', 'ls pwd'],
    ['~~~\nC(ls)\nC(pwd)\n~~~', 'ls pwd'],
    ['~~~\nC(ls)\n~~~\n~~~\nC(pwd)\n~~~', 'ls pwd'],
    ['~~~sh\nls -l\n~~~\nC(ls)', 'ls'],
    ['Some code:\n~~~js\nlet a = `b`;\n~~~\nC(ls)\nThat is all.', 'ls'],
    // quotes and steps
    ['> You asked for files.\n\nC(ls)', 'ls'],
    ['> You asked for files.\nC(ls)', 'ls'],
    ['a > b, so C(ls)', 'ls'],
    ['R(ls)', 'ls'],
    ['R(ls)\n', 'ls'],
    ['R(ls)\nThought: I wait.', 'ls'],
    ['R(ls)\nR(pwd)', 'ls pwd'],
    ['Observation: b.txt\nR(ls)', 'ls'],
    ['R(ls)\nObservations follow.', 'ls'],
  ])('%j', (source, commands) => {
    expect(commandsOf(write(source)).join(' ')).toBe(commands);
  });
});

test('says where the call is, and keeps its source', () => {
  const call = write('C(ls)');
  const { text, issues } = parseToolCalls(`Use \`${call}\` to list.`);
  expect(text).toBe(`Use \`${call}\` to list.`);
  expect(issues).toEqual([
    {
      code: 'quoted-call',
      message: 'the call of bash is in inline code, so it is text',
      offset: 5,
      parser: 'qwen',
    },
  ]);
});

test('counts and numbers only calls that are calls', () => {
  const events: ParseEvent[] = [];
  const stream = createToolCallStream({ onEvent: (event) => events.push(event) });
  stream.feed(write('> C(rm)\n\nC(ls)\nC(pwd)'));
  stream.end();
  const seen = events.flatMap((event) =>
    event.type === 'call-end' ? [[event.index, event.call.arguments['command']]] : [],
  );
  expect(seen).toEqual([
    [0, 'ls'],
    [1, 'pwd'],
  ]);
});

test('streams a call on a line of its own at once', () => {
  const events: ParseEvent[] = [];
  const stream = createToolCallStream({ onEvent: (event) => events.push(event) });
  stream.feed(write('I would look.\nC(ls)'));
  expect(events.at(-1)).toMatchObject({ type: 'call-end' });
});

const PIECES = [
  ...['C(ls)', 'L(rm)', 'P(mv)', 'T(cp)', 'J(ln)', 'R(cd)', 'M(du)'].map(write),
  ...[
    '`',
    '``',
    '```',
    '```json\n',
    '\n```\n',
    '> ',
    '\n',
    '\n\n',
    ' ',
    '. ',
    ', ',
    'then ',
    'Now',
  ],
  ...['来', '😀', 'Observation:', '<think>', '</think>', '(', ')'],
];

test('reads any surroundings the same however they are cut, and loses nothing', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 16 }).map((pieces) => pieces.join('')),
      fc.array(fc.nat(), { maxLength: 6 }),
      (text, places) => {
        const options = { tools: TOOLS, nextId: () => 'id' };
        const result = parseToolCalls(text, options);
        expect(result.segments.map(({ raw }) => raw).join('')).toBe(text);
        for (const chunks of [cutAt(text, places), text.split('')]) {
          const streamed = readChunks(chunks, { ...options, startsInReasoning: 'auto' });
          expect(streamed).toMatchObject({ calls: result.calls, text: result.text, source: text });
          expect(streamed.issues).toEqual(result.issues);
          expect(streamed.wrongFragments).toEqual([]);
        }
      },
    ),
    { numRuns: (fc.readConfigureGlobal().numRuns ?? 100) * 10 },
  );
});
