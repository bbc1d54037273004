import { errorLineKind } from './error-line.ts';
import type { OutputLines } from './output-lines.ts';

/** Lines that quote code, name a place in it or draw a box: what they say is not the error. */
const QUOTING = /^\s*(?:at |File "|\||\d{1,6}\s?[|│→:]|\^|~{3}|[-=+*]{3,}$|> \d)/;

/** What an error line may hand over to: the cause behind it. */
const CAUSE = /^\s*(?:\[cause\]|caused by|code|errno|syscall|reason|detail|usage|try)\b/i;

/** Whether a line only adds to an error: it may tell the type, but is not what a person would quote. */
export function isCause(line: string): boolean {
  return CAUSE.test(line);
}

/**
 * The lines that may say why a call failed, most telling first. Only the first and last lines are looked
 * at, and of those only error lines: words anywhere else are data.
 */
export function tellingLines(lines: OutputLines): readonly string[] {
  const { first, last, all } = lines;
  const candidates =
    all !== undefined && all.length <= first.length ? all : [...new Set([...first, ...last])];
  const plain = candidates.filter((line) => !QUOTING.test(line));
  const fatal = plain.filter((line) => errorLineKind(line) === 'fatal');
  const complaints = plain.filter((line) => errorLineKind(line) === 'complaint');
  // Python tells the story first and the error last.
  if (/^\s*Traceback /.test(fatal[0] ?? '')) fatal.reverse();
  const causes = plain.filter(isCause);
  const errors = [...new Set([...fatal, ...complaints, ...causes])];
  if (errors.length > 0) return errors;
  if (plain.length <= 3) return plain;
  return [first[0] ?? '', last.at(-1) ?? ''];
}
