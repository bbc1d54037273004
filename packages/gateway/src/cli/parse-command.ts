import { createDefaultRegistry } from '@holdfast/core/parse';
import type { ParseIssue, ParseOptions, ParserRegistry, ParseResult } from '@holdfast/core/parse';
import { toAnthropicContent, toOpenAIMessage } from '@holdfast/core/parse';
import type { Arguments, Command } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { explain } from './explain.ts';
import { parseHelp } from './help.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';
import { readChoice } from './read-choice.ts';
import { checkFormat, readFormats } from './read-format-flags.ts';
import { readStartsInReasoning } from './read-starts-in-reasoning.ts';
import { readText, readWholeText } from './read-text.ts';
import { readTools } from './read-tools.ts';
import { safeJson, safeLine } from './safe-text.ts';
import { stylesFor } from './style.ts';

type ToShape = (result: ParseResult, options: ParseOptions, io: Io) => unknown;

const SHAPES = {
  holdfast: ({ calls, text, reasoning, issues }: ParseResult): unknown => {
    return { calls, text, reasoning, issues };
  },
  openai: (result: ParseResult): unknown => toOpenAIMessage(result),
  anthropic: (result: ParseResult, { tools }: ParseOptions, io: Io): unknown => {
    const onIssue = ({ message }: ParseIssue): void => {
      io.stderr.write(`warning: ${safeLine(message)}\n`);
    };
    return { role: 'assistant', content: toAnthropicContent(result, { tools, onIssue }) };
  },
};

type Shape = keyof typeof SHAPES;

const SHAPE_NAMES: readonly Shape[] = ['holdfast', 'openai', 'anthropic'];
const UNKNOWN_TOOL = ['text', 'issue', 'call'] as const;
const CALLS_IN_REASONING = ['if-unclosed', 'ignore', 'read'] as const;

export const parseCommand: Command = {
  name: 'parse',
  help: parseHelp,
  options: {
    format: 'value',
    formats: 'value',
    model: 'value',
    tools: 'value',
    as: 'value',
    explain: 'flag',
    // It is JSON unless it is explained.
    json: 'flag',
    stream: 'flag',
    'unknown-tool': 'value',
    'calls-in-reasoning': { words: CALLS_IN_REASONING, alone: 'read' },
    'starts-in-reasoning': 'value',
    'no-bare-calls': 'flag',
    incomplete: 'flag',
  },

  async run(given, io) {
    const { flags, positionals } = given;
    const [file] = positionals;
    if (positionals.length > 1) {
      throw new Misuse(`expected one file, got ${positionals.length}: ${positionals.join(' ')}`);
    }
    if (flags.has('json') && flags.has('explain')) {
      throw new Misuse('--explain is for people: expected it without --json');
    }
    const toShape = shapeOf(given);
    const registry = createDefaultRegistry();
    const options = await optionsOf(given, io);
    if (file === undefined && io.stdin.isTerminal) {
      io.stderr.write('Reading standard input; end it with Ctrl-D.\n');
    }
    if (flags.has('stream')) return printEvents(file, registry, options, io);

    const text = await readWholeText(file, io);
    const result = registry.parse(text, { ...options, explain: flags.has('explain') });
    const shown = flags.has('explain')
      ? explain(text, result, stylesFor(io))
      : safeJson(toShape(result, options, io), 2);
    io.stdout.write(`${shown}\n`);
    return exitCode(result.calls.length);
  },
};

/** Feeds the input to the engine as it arrives, and prints each event at once. */
async function printEvents(
  file: string | undefined,
  registry: ParserRegistry,
  options: ParseOptions,
  io: Io,
): Promise<number> {
  let callCount = 0;
  const stream = registry.createStream({
    ...options,
    onEvent: (event) => {
      if (event.type === 'call-end') callCount++;
      io.stdout.write(`${safeJson(event)}\n`);
    },
  });
  for await (const text of readText(file, io)) {
    stream.feed(text);
    await io.stdout.drained();
  }
  stream.end();
  return exitCode(callCount);
}

function exitCode(callCount: number): number {
  return callCount > 0 ? EXIT.ok : EXIT.noCalls;
}

function shapeOf(given: Arguments): ToShape {
  const { flags } = given;
  const name = readChoice(given, 'as', SHAPE_NAMES) ?? 'holdfast';
  const [stream, explains] = [flags.has('stream'), flags.has('explain')];
  if (stream && explains) throw new Misuse('--stream and --explain cannot be used together');
  if (name !== 'holdfast' && (stream || explains)) {
    const other = stream ? '--stream prints events' : '--explain prints no JSON';
    throw new Misuse(`--as ${name} needs the whole message, but ${other}; use one of the two`);
  }
  return SHAPES[name];
}

async function optionsOf(given: Arguments, io: Io): Promise<ParseOptions> {
  const { flags, values } = given;
  const format = values.get('format');
  const formats = readFormats(given);
  const model = values.get('model');
  const tools = values.get('tools');
  const unknownTool = readChoice(given, 'unknown-tool', UNKNOWN_TOOL);
  const callsInReasoning = readChoice(given, 'calls-in-reasoning', CALLS_IN_REASONING);
  if (format !== undefined) checkFormat('format', format);
  if (format !== undefined && formats?.includes(format) === false) {
    throw new Misuse(
      `--format: expected one of --formats (${formats.join(', ')}), got "${format}"`,
    );
  }
  const startsInReasoning = readStartsInReasoning(given);
  if (unknownTool !== undefined && tools === undefined) {
    throw new Misuse('--unknown-tool needs --tools: without it every tool is known');
  }
  return {
    ...(format !== undefined && { format }),
    ...(formats !== undefined && { formats }),
    ...(model !== undefined && { model }),
    ...(tools !== undefined && { tools: await readTools(tools, io) }),
    ...(unknownTool !== undefined && { unknownTool }),
    ...(callsInReasoning !== undefined && { callsInReasoning }),
    ...(startsInReasoning !== undefined && { startsInReasoning }),
    ...(flags.has('no-bare-calls') && { bareCalls: false }),
    ...(flags.has('incomplete') && { incompleteCalls: 'call' }),
  };
}
