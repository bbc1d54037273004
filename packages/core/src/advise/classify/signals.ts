import type { JsonObject } from '../../types.ts';
import type { ToolKind, ToolResult } from '../classification.ts';
import { readEnvelope, readTag } from './envelope.ts';
import { readOutputLines } from './output-lines.ts';
import type { OutputLines } from './output-lines.ts';
import { programsOf } from './shell-command.ts';
import type { ShellProgram } from './shell-command.ts';
import { guessToolKind } from './tool-kind.ts';
import type { ToolSettings } from './tool-settings.ts';

/** All that is known of how a call ended, with what the host wrote around the output taken off. */
export interface Signals {
  readonly result: ToolResult;
  readonly settings: ToolSettings;
  readonly kind: ToolKind;
  readonly output: string;
  readonly lines: OutputLines;
  readonly isError: boolean | undefined;
  readonly exitCode: number | undefined;
  /** The programs that ran, where the command is known. */
  readonly programs: readonly ShellProgram[];
}

/** Gathers the signals of a result. A host's own field counts before what stands in the text. */
export function readSignals(result: ToolResult, settings: ToolSettings): Signals {
  const kind = settings.kind ?? guessToolKind(result.tool);
  const output = result.output ?? '';
  // What a reader returns is content: it may hold anything, a host's wrapping too.
  const envelope = kind === 'reader' ? (readTag(output) ?? { output }) : readEnvelope(output);
  return {
    result,
    settings,
    kind,
    output: envelope.output,
    lines: readOutputLines(envelope.output),
    isError: result.isError ?? envelope.isError,
    exitCode: result.exitCode ?? envelope.exitCode,
    programs: programsOf(commandOf(result.arguments)),
  };
}

const COMMAND_KEYS = ['command', 'cmd', 'script'] as const;

function commandOf(args: JsonObject = {}): string {
  for (const key of COMMAND_KEYS) {
    const value = args[key];
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.filter((part) => typeof part === 'string').join(' ');
  }
  return '';
}
