import type { AdvisedCall } from './advised-call.ts';
import type { ToolKind } from './classification.ts';
import { guessToolKind } from './classify/tool-kind.ts';
import { COMMAND_KEYS } from './loops/fingerprints.ts';
import { isPollingCommand, isReadOnlyCommand } from './shell-nature.ts';

/** What a call is for. */
export interface CallNature {
  readonly kind: ToolKind;
  /** Whether it changes something when it succeeds. */
  readonly changes: boolean;
  /** Whether to repeat it is its use: it polls, waits, or acts once more each time. */
  readonly mayRepeat: boolean;
}

/** What is known of a tool; the rest is guessed from its name and arguments. */
export interface KnownNature {
  readonly kind?: ToolKind;
  readonly changes?: boolean;
  readonly mayRepeat?: boolean;
}

export function natureOf(call: AdvisedCall, known: KnownNature = {}): CallNature {
  const kind = known.kind ?? guessToolKind(call.tool);
  return {
    kind,
    changes: known.changes ?? guessChanges(call, kind),
    mayRepeat: known.mayRepeat ?? guessMayRepeat(call, kind),
  };
}

const CHANGING: ReadonlySet<string> = new Set(
  (
    'create update delete remove set put post send insert save upload install uninstall add commit push ' +
    'apply start stop restart deploy merge close reset enable disable assign publish submit'
  ).split(' '),
);

function guessChanges(call: AdvisedCall, kind: ToolKind): boolean {
  if (kind === 'edit') return true;
  if (kind === 'reader') return false;
  if (kind === 'shell') {
    const command = commandOf(call);
    return command === undefined || !isReadOnlyCommand(command);
  }
  const method = call.arguments?.['method'];
  if (typeof method === 'string') return !/^(?:get|head|options)$/i.test(method);
  return wordsIn(call.tool).some((word) => CHANGING.has(word));
}

/** Words of tools that ask for what changes by itself, and of tools that go on by one each time. */
const REPEATED: ReadonlySet<string> = new Set(
  (
    'poll polling status wait sleep watch monitor progress health heartbeat ping ' +
    'press key keypress click tap scroll swipe next step advance tick roll random'
  ).split(' '),
);

function guessMayRepeat(call: AdvisedCall, kind: ToolKind): boolean {
  if (wordsIn(call.tool).some((word) => REPEATED.has(word))) return true;
  // One tool for several things says which: a process tool polls, a code tool asks for more output.
  const action = call.arguments?.['action'] ?? call.arguments?.['runtime'];
  if (typeof action === 'string' && (REPEATED.has(action) || action === 'output')) return true;
  const command = kind === 'shell' ? commandOf(call) : undefined;
  return command !== undefined && isPollingCommand(command);
}

function commandOf(call: AdvisedCall): string | undefined {
  for (const key of COMMAND_KEYS) {
    const value = call.arguments?.[key];
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.join(' ');
  }
  return undefined;
}

/** The words of a tool's name. */
function wordsIn(tool: string): string[] {
  return tool
    .slice(0, 200)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}
