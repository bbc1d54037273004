import { HOST_NAMES } from '../../agents/host-name.ts';
import type { Command, OptionKind, OptionKinds } from '../command.ts';
import { COMMANDS } from '../commands.ts';
import { hookHelp, mainHelp } from '../help.ts';
import { SHORT_OPTIONS } from '../read-arguments.ts';
import { readHelpRows } from './read-help-rows.ts';

/** What a shell can complete of a command. */
export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  /** What stands for its arguments: one of these words, a file, or something that only its user knows. */
  readonly argument: readonly string[] | 'file' | 'other';
}

export interface CompletedOption {
  /** Without the dashes. */
  readonly name: string;
  readonly short: string | undefined;
  readonly description: string;
  readonly value: 'none' | 'needed' | 'optional';
  readonly isRepeated: boolean;
  /** The values it takes, where they are few. */
  readonly words: readonly string[];
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

const ARGUMENT_WORDS: Readonly<Record<string, readonly string[]>> = {
  install: HOST_NAMES,
  uninstall: HOST_NAMES,
  doctor: HOST_NAMES,
  hook: HOST_NAMES,
  completion: SHELLS,
};

/** By option; where several commands have it, it means the same. */
const VALUE_WORDS: Readonly<Record<string, readonly string[]>> = {
  log: ['debug', 'info', 'warn', 'error', 'silent'],
  prefix: ['auto', 'always', 'never'],
  protocol: ['chat', 'messages', 'responses', 'both', 'all'],
  'starts-in-reasoning': ['auto', 'true', 'false'],
  'tool-mode': ['native', 'prompt', 'auto'],
  'on-invalid': ['forward', 'ask-again'],
  'unknown-tool': ['text', 'issue', 'call'],
  as: ['holdfast', 'openai', 'anthropic'],
  kind: ['reader', 'shell', 'api', 'edit'],
};

/** All commands, with what their help says of them. */
export async function listCompletedCommands(): Promise<readonly CompletedCommand[]> {
  const commands = await Promise.all(COMMANDS.map(({ load }) => load()));
  const hook = { name: 'hook', help: hookHelp, options: { veto: 'flag' } } as const;
  const descriptions = readHelpRows(mainHelp, 'Commands:');
  return [...commands, hook].map((command) => ({
    name: command.name,
    description: descriptions.get(command.name) ?? '',
    options: optionsOf(command),
    argument: ARGUMENT_WORDS[command.name] ?? (takesFile(command.help) ? 'file' : 'other'),
  }));
}

function optionsOf({
  options,
  help,
}: Pick<Command, 'options' | 'help'>): readonly CompletedOption[] {
  const descriptions = readHelpRows(help, 'Options:');
  const all: OptionKinds = { ...options, help: 'flag' };
  return Object.entries(all).map(([name, kind]) => ({
    name,
    short: SHORT_OPTIONS[name],
    description: descriptions.get(`--${name}`) ?? '',
    value: valueOf(kind),
    isRepeated: kind === 'values',
    words: typeof kind === 'string' ? (VALUE_WORDS[name] ?? []) : kind.words,
  }));
}

function valueOf(kind: OptionKind): CompletedOption['value'] {
  if (kind === 'flag') return 'none';
  return typeof kind === 'string' ? 'needed' : 'optional';
}

/** Usage lines name an argument that is a file. */
function takesFile(help: string): boolean {
  return /\[(?:file|dir)\]/.test(help.split('\n\n', 1)[0] ?? '');
}
