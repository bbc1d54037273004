import { classify } from '@holdfast/core/advise';
import type { Classification, ToolKind, ToolResult, ToolSettings } from '@holdfast/core/advise';
import type { Arguments, Command } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { classifyHelp } from './help.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';
import { readChoice } from './read-choice.ts';
import { readWholeText } from './read-text.ts';
import { safeJson, safeLine } from './safe-text.ts';
import { stylesFor } from './style.ts';

const KINDS: readonly ToolKind[] = ['reader', 'shell', 'api', 'edit'];
const TRUTH = ['true', 'false'] as const;

export const classifyCommand: Command = {
  name: 'classify',
  help: classifyHelp,
  options: {
    tool: 'value',
    command: 'value',
    kind: 'value',
    'exit-code': 'value',
    status: 'value',
    'is-error': { words: TRUTH, alone: 'true' },
    json: 'flag',
  },

  async run(given, io) {
    const { flags, positionals } = given;
    const [file] = positionals;
    if (positionals.length > 1) {
      throw new Misuse(`expected one file, got ${positionals.length}: ${positionals.join(' ')}`);
    }
    const result = resultOf(given);
    const settings = settingsOf(given);
    if (file === undefined && io.stdin.isTerminal) {
      io.stderr.write('Reading standard input; end it with Ctrl-D.\n');
    }
    const found = classify({ ...result, output: await readWholeText(file, io) }, settings);
    io.stdout.write(flags.has('json') ? `${jsonOf(found)}\n` : inWords(found, io));
    return found.status === 'failure' ? EXIT.toolFailed : EXIT.ok;
  },
};

function resultOf(given: Arguments): ToolResult {
  const { values } = given;
  const command = values.get('command');
  const exitCode = numberOf(given, 'exit-code');
  const status = numberOf(given, 'status');
  const isError = readChoice(given, 'is-error', TRUTH);
  return {
    tool: values.get('tool') ?? 'bash',
    ...(command !== undefined && { arguments: { command } }),
    ...(exitCode !== undefined && { exitCode }),
    ...(status !== undefined && { status }),
    ...(isError !== undefined && { isError: isError === 'true' }),
  };
}

function settingsOf(given: Arguments): ToolSettings {
  const kind = readChoice(given, 'kind', KINDS);
  return kind === undefined ? {} : { kind };
}

function numberOf({ values }: Arguments, option: string): number | undefined {
  const written = values.get(option);
  if (written === undefined) return undefined;
  if (/^-?\d{1,10}$/.test(written)) return Number(written);
  throw new Misuse(`--${option}: expected a whole number, got "${written}"`);
}

/** Absent values are null: a reader of the JSON finds every key. */
function jsonOf({ type = null, parent = null, ...rest }: NullableTypes): string {
  const { status, confidence, evidence, retryable } = rest;
  return safeJson({ status, type, parent, confidence, evidence, retryable }, 2);
}

type NullableTypes = Omit<Classification, 'type' | 'parent'> & {
  readonly type?: Classification['type'] | null;
  readonly parent?: Classification['parent'] | null;
};

function inWords(found: Classification, io: Io): string {
  const { status, type, parent, confidence, evidence, retryable } = found;
  const { bold, dim } = stylesFor(io);
  const under = parent === undefined || parent === type ? '' : ` (${parent})`;
  const head = type === undefined ? bold(status) : `${bold(`${status}: ${type}`)}${under}`;
  const lines = [
    head,
    ...(evidence === '' ? [] : [`${dim('evidence  ')}  ${safeLine(evidence)}`]),
    ...(status === 'unknown' ? [] : [`${dim('confidence')}  ${confidence}`]),
    ...(status === 'failure' ? [`${dim('retryable ')}  ${retryable ? 'yes' : 'no'}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
