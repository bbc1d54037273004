import type { ParseResult } from '@holdfast/core/parse';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chunks, memoryIo } from './memory-io.case.ts';
import { run } from './run.ts';

const CALL = '<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>';

let folder = '';
const file = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-cli-'));
  writeFileSync(file('answer.txt'), `\uFEFFHi. ${CALL}`);
  writeFileSync(file('tools.json'), '[{"name": "ReadFile"}]');
  writeFileSync(file('odd-tools.json'), '{"tools": [{"name": "ReadFile"}, {"foo": 1}]}');
  const parameters = { type: 'object', properties: { to: { type: 'integer' } } };
  writeFileSync(file('pay.json'), JSON.stringify([{ name: 'pay', parameters }]));
  writeFileSync(file('broken.json'), '[{"name": "ReadFile",}]');
});

afterAll(() => rmSync(folder, { recursive: true }));

async function parse(
  stdin: string,
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> {
  const io = memoryIo({ stdin });
  const code = await run(['parse', ...args], io);
  return { code, out: io.out(), err: io.err() };
}

function splitBefore(lines: readonly string[], line: string): [string[], string[]] {
  const at = lines.indexOf(line);
  return [lines.slice(0, at), lines.slice(at)];
}

const call = {
  id: expect.stringMatching(/^call_/) as string,
  name: 'read_file',
  arguments: { path: 'a' },
  argumentsText: '{"path": "a"}',
  format: 'qwen',
  repairs: [],
  complete: true,
  lossy: false,
};

describe('holdfast parse', () => {
  it('prints calls, text, reasoning and issues', async () => {
    const { code, out, err } = await parse(`<think>Hm.</think>Hi. ${CALL}`);

    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toEqual({ calls: [call], text: 'Hi. ', reasoning: 'Hm.', issues: [] });
  });

  it('reads a file, without its byte order mark', async () => {
    const { code, out } = await parse('', file('answer.txt'));

    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ calls: [call], text: 'Hi. ' });
  });

  it('reads standard input when the file is -', async () => {
    expect((await parse(CALL, '-')).code).toBe(0);
  });

  it('ends with 3 when there is no call', async () => {
    const { code, out } = await parse('just {text}');

    expect(code).toBe(3);
    expect(JSON.parse(out)).toEqual({ calls: [], text: 'just {text}', reasoning: '', issues: [] });
  });

  it('ends with 3 on an empty input', async () => {
    expect((await parse('')).code).toBe(3);
  });

  it('prints a message of OpenAI', async () => {
    const { out } = await parse(`Hi. ${CALL}`, '--as', 'openai');

    expect(JSON.parse(out)).toEqual({
      role: 'assistant',
      content: 'Hi. ',
      tool_calls: [
        {
          id: call.id,
          type: 'function',
          function: { name: 'read_file', arguments: '{"path": "a"}' },
        },
      ],
    });
  });

  it('prints a message of Anthropic', async () => {
    const { out } = await parse(`Hi. ${CALL}`, '--as=anthropic');

    expect(JSON.parse(out)).toEqual({
      role: 'assistant',
      content: [
        { type: 'text', text: 'Hi. ' },
        { type: 'tool_use', id: call.id, name: 'read_file', input: { path: 'a' } },
      ],
    });
  });

  it('warns on standard error where an Anthropic message loses digits of a number', async () => {
    const digits = '9007199254740993';
    const text = `<tool_call>{"name": "pay", "arguments": {"to": ${digits}}}</tool_call>`;
    const { out, err } = await parse(text, '--as=anthropic', '--tools', file('pay.json'));

    expect(JSON.parse(out)).toMatchObject({ content: [{ input: { to: digits } }] });
    expect(err).toContain('warning: pay: the number given for "to"');
  });

  it('sets names right by the tools that were offered', async () => {
    const { out } = await parse(CALL, '--tools', file('tools.json'));

    expect(JSON.parse(out)).toMatchObject({
      calls: [{ name: 'ReadFile', repairs: ['tool-name'] }],
    });
  });

  it('takes a format or a model as a hint only', async () => {
    expect((await parse(CALL, '--format', 'openai')).code).toBe(0);
    expect((await parse(CALL, '--model', 'gpt-4o')).code).toBe(0);
  });

  it('leaves calls in reasoning alone unless told otherwise', async () => {
    const text = `<think>${CALL}</think>`;

    expect((await parse(text)).code).toBe(3);
    expect((await parse(text, '--calls-in-reasoning')).code).toBe(0);
    expect((await parse(text, '--calls-in-reasoning', 'read')).code).toBe(0);
    expect((await parse(text, '--calls-in-reasoning=if-unclosed')).code).toBe(3);
  });

  it('reads calls in reasoning that never ends unless told otherwise', async () => {
    const text = `<think>${CALL}`;

    expect((await parse(text)).code).toBe(0);
    expect((await parse(text, '--calls-in-reasoning', 'ignore')).code).toBe(3);
  });

  it('takes what follows --calls-in-reasoning for a file if it is no mode', async () => {
    const { code, out } = await parse('', '--calls-in-reasoning', file('answer.txt'));

    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ text: 'Hi. ' });
  });

  it.each([
    ['text', 0, ['unknown-tool']],
    ['issue', 1, ['unknown-tool']],
    ['call', 1, []],
  ])('takes a call of an unknown tool as %s', async (how, callCount, codes) => {
    const text = '<tool_call>{"name": "fly", "arguments": {}}</tool_call>';
    const { out } = await parse(text, '--tools', file('tools.json'), '--unknown-tool', how);
    const { calls, issues } = JSON.parse(out) as ParseResult;

    expect(calls.length).toBe(callCount);
    expect(issues.map(({ code }) => code)).toEqual(codes);
  });

  it('reads no call that was only considered, unless told where the text begins', async () => {
    const text = `I could ${CALL}\nBut no.\n</think>\nHi`;
    expect((await parse(text)).code).toBe(3);
    expect((await parse(text, '--starts-in-reasoning', 'true')).code).toBe(3);
    expect((await parse(text, '--starts-in-reasoning', 'false')).code).toBe(0);
    expect((await parse(text, '--stream')).code).toBe(0);
    expect((await parse(text, '--stream', '--starts-in-reasoning', 'auto')).code).toBe(3);
    expect((await parse(text, '--starts-in-reasoning', 'maybe')).err).toContain(
      '--starts-in-reasoning: expected auto, true or false, got "maybe"',
    );
  });

  it('leaves text without markup alone with --no-bare-calls, streamed too', async () => {
    const [text, tools] = ['ReadFile()', file('tools.json')];

    expect((await parse(text, '--tools', tools)).code).toBe(0);
    for (const args of [[], ['--stream'], ['--explain']])
      expect((await parse(text, '--tools', tools, '--no-bare-calls', ...args)).code).toBe(3);
    expect((await parse(CALL, '--tools', tools, '--no-bare-calls')).code).toBe(0);
  });

  it('reads only the formats that --formats names, streamed too', async () => {
    for (const args of [[], ['--stream'], ['--explain']]) {
      expect((await parse(CALL, '--formats', 'mistral, react', ...args)).code).toBe(3);
      expect((await parse(CALL, '--formats', 'mistral,qwen', ...args)).code).toBe(0);
    }
  });

  it('returns a call the text ended in as text unless told otherwise', async () => {
    const text = '<tool_call>{"name": "read_file", "arguments": {"path": "a';
    const { out } = await parse(text, '--incomplete');

    expect((await parse(text)).code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ calls: [{ name: 'read_file', complete: false }] });
  });

  it.each([
    [
      ['--formats', 'qwen,mistrall'],
      '--formats: expected a format that reads calls (see holdfast formats), got "mistrall"; did you mean mistral?',
    ],
    [
      ['--formats', 'qwen', '--format', 'mistral'],
      '--format: expected one of --formats (qwen), got "mistral"',
    ],
    [['no-such.txt'], 'cannot read no-such.txt: there is no such file'],
    [['a', 'b'], 'expected one file, got 2: a b'],
    [
      ['--format', 'qwne'],
      '--format: expected a format that reads calls (see holdfast formats), got "qwne"; did you mean qwen?',
    ],
    [
      ['--format', 'fallback'],
      '--format: expected a format that reads calls (see holdfast formats), got "fallback"',
    ],
    [
      ['--unknown-tool', 'isue', '--tools', 'tools.json'],
      '--unknown-tool: expected text, issue or call, got "isue"; did you mean issue?',
    ],
    [['--unknown-tool', 'call'], '--unknown-tool needs --tools: without it every tool is known'],
    [
      ['--calls-in-reasoning=never'],
      '--calls-in-reasoning: expected if-unclosed, ignore or read, got "never"',
    ],
    [['--as', 'xml'], '--as: expected holdfast, openai or anthropic, got "xml"'],
    [['--as', 'toString'], '--as: expected holdfast, openai or anthropic, got "toString"'],
    [['--tools', 'no-such.json'], 'cannot read no-such.json: there is no such file'],
    [['--stream', '--explain'], '--stream and --explain cannot be used together'],
    [
      ['--stream', '--as', 'openai'],
      '--as openai needs the whole message, but --stream prints events; use one of the two',
    ],
    [
      ['--explain', '--as', 'anthropic'],
      '--as anthropic needs the whole message, but --explain prints no JSON; use one of the two',
    ],
  ])('refuses %j', async (args, message) => {
    expect(await parse(CALL, ...args)).toEqual({ code: 2, out: '', err: `holdfast: ${message}\n` });
  });

  it('refuses a folder', async () => {
    const message = `cannot read ${folder}: it is a directory, expected a file`;

    expect(await parse('', folder)).toEqual({ code: 2, out: '', err: `holdfast: ${message}\n` });
  });

  it('says which tool of a file is not one', async () => {
    const { code, err } = await parse(CALL, '--tools', file('odd-tools.json'));

    expect(code).toBe(2);
    expect(err).toContain('odd-tools.json: tools[1]: expected a tool definition with a name');
    expect(err).toContain('got an object with the keys foo\n');
  });

  it('says where a tools file is no JSON', async () => {
    const { code, err } = await parse(CALL, '--tools', file('broken.json'));

    expect(code).toBe(2);
    expect(err).toContain('broken.json is not JSON: ');
    expect(err).toContain(' at line 1, column 22\n');
  });

  it.each([[['parse']], [['parse', '--stream']]])(
    'says where standard input is no UTF-8: %j',
    async (args) => {
      const io = memoryIo({ stdin: chunks(['ok ', Uint8Array.from([0x61, 0xff])]) });

      expect(await run(args, io)).toBe(2);
      expect(io.err()).toBe(
        'holdfast: standard input is not valid UTF-8: unexpected byte 0xff at byte offset 4\n',
      );
    },
  );
});

describe('holdfast parse --stream', () => {
  it('prints one event per line', async () => {
    const { code, out } = await parse(`Hi. ${CALL}`, '--stream');
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);

    expect(code).toBe(0);
    expect(events[0]).toEqual({ type: 'text-delta', text: 'Hi. ' });
    expect(events.at(-1)).toEqual({ type: 'call-end', index: 0, call, raw: CALL });
  });

  it('prints what is certain before more arrives', async () => {
    const seen: string[] = [];
    async function* stdin(): AsyncGenerator<Uint8Array> {
      for (const part of ['Hello ', 'you. <tool', `_call>{"name":"a","arguments":{}}`]) {
        yield Buffer.from(part);
        seen.push(io.out());
      }
    }
    const io = memoryIo({ stdin: stdin() });
    await run(['parse', '--stream'], io);

    expect(seen[0]).toBe('{"type":"text-delta","text":"Hello "}\n');
    expect(seen[1]).toBe(`${seen[0]!}{"type":"text-delta","text":"you. "}\n`);
  });

  it('puts characters together that arrive in parts', async () => {
    const io = memoryIo({
      stdin: chunks([...Buffer.from('é🙂')].map((byte) => Uint8Array.of(byte))),
    });
    await run(['parse', '--stream'], io);

    expect(io.out()).toContain('🙂"}\n');
    expect(io.out().replaceAll(/"\}\n\{"type":"text-delta","text":"/g, '')).toBe(
      '{"type":"text-delta","text":"é🙂"}\n',
    );
  });

  it('ends with 3 when there is no call', async () => {
    expect((await parse('text', '--stream')).code).toBe(3);
  });

  it('prints control tokens as events of their own', async () => {
    const { out } = await parse('<|channel|>final<|message|>Noon.', '--stream');

    expect(out).toBe(
      '{"type":"markup","raw":"<|channel|>final<|message|>"}\n{"type":"text-delta","text":"Noon."}\n',
    );
  });
});

describe('holdfast parse --explain', () => {
  it('says what was tried, where, and what came of it', async () => {
    const text = "See [1].\n[TOOL_CALL]{'name': 'now', 'arguments': {}}[/TOOL_CALL]\n";
    const { code, out } = await parse(text, '--explain');
    const [tried, rest] = splitBefore(out.split('\n'), 'Calls');

    expect(code).toBe(0);
    expect(tried[0]).toBe('Tried');
    // Other formats may try the same bracket.
    expect(tried.map((line) => line.replace(/ {2,}/g, '  '))).toEqual(
      expect.arrayContaining([
        '  1:5  openai  [  not a call  it begins like no call',
        '  2:1  commentary  [TOOL_CALL]  call  now (repaired: single-quotes)',
      ]),
    );
    expect(rest.join('\n').replace(/call_\w+/, 'call_1')).toMatchInlineSnapshot(`
      "Calls
        1. now {}
           commentary, repaired: single-quotes, id call_1
      Text
        │ See [1].
        │
        │
      Reasoning: none
      Issues: none
      "
    `);
  });

  it('lines up what was tried', async () => {
    const { out } = await parse(`See [1]. ${CALL}`, '--explain');
    const [tried] = splitBefore(out.split('\n').slice(1), 'Calls');
    const columns = tried.map((line) => /not a call|call {2,}/.exec(line)?.index);

    expect(tried.length).toBeGreaterThan(1);
    expect(new Set(columns).size).toBe(1);
  });

  it('shows control tokens apart from the text', async () => {
    const text =
      '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi';
    const { out } = await parse(text, '--explain');
    const tried = out.replace(/ {2,}/g, '  ');

    expect(tried).toContain('<|channel|>  markup  reasoning begins\n');
    expect(tried).toContain('<|start|>  markup  neither text nor call\n');
    expect(out).toContain('Text\n  │ Hi\nReasoning\n  │ Hm.\nMarkup\n');
    expect(out).toContain('Markup\n  1:41  <|start|>assistant<|channel|>final<|message|>\n');
  });

  it('says so when nothing was tried', async () => {
    const { code, out } = await parse('', '--explain');

    expect(code).toBe(3);
    expect(out).toBe('Tried: none\nCalls: none\nText: none\nReasoning: none\nIssues: none\n');
  });

  it('shows issues with their place', async () => {
    const { out } = await parse(`\n${CALL}`, '--explain', '--tools', file('tools.json'));
    const unknown = await parse(
      '\n<tool_call>{"name": "fly", "arguments": {}}</tool_call>',
      '--explain',
      '--tools',
      file('tools.json'),
    );

    expect(out).toContain('Issues: none');
    expect(unknown.out).toContain('2:1  unknown-tool  there is no tool named "fly"');
  });

  it('hands no control character to the terminal', async () => {
    const { out } = await parse(
      '\x1b]0;title\x07 <tool_call>{"name": "a\u202E", "arguments": {"b": "\u009b2J"}}</tool_call>',
      '--explain',
    );

    expect(out).toContain('<U+001B>]0;title<U+0007>');
    expect(out).not.toMatch(/[\x1b\x07\u009b\u202E]/);
  });
});
