import type { Io } from './io.ts';

export type Style = (text: string) => string;

export interface Styles {
  readonly bold: Style;
  readonly dim: Style;
  readonly red: Style;
  readonly green: Style;
  readonly yellow: Style;
  readonly cyan: Style;
}

/** Styles for standard output: colours on a terminal that wants them, else the text as it is. */
export function stylesFor(io: Io): Styles {
  const isColoured = usesColour(io);
  const style =
    (on: number, off: number): Style =>
    (text) =>
      isColoured && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    cyan: style(36, 39),
  };
}

/** FORCE_COLOR wins over NO_COLOR, as in Node. */
function usesColour({ env, stdout }: Io): boolean {
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return !['0', 'false'].includes(force);
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return false;
  return stdout.isTerminal;
}
