import { checkOptions, object, oneOf, text } from '../../internal/check-options.ts';
import type { OptionRule } from '../../internal/check-options.ts';
import type { ToolKind } from '../classification.ts';

/** What you know of a tool that its name and its output do not say. */
export interface ToolSettings {
  /**
   * What its output is.
   * @defaultValue guessed from the tool's name, see `guessToolKind`
   */
  readonly kind?: ToolKind;
  /**
   * Exit codes that are no failure, by program: `{ 'my-linter': [1] }`. They are added to `BENIGN_EXITS`;
   * a program that is listed there is replaced, and `[]` takes it out.
   * @defaultValue none
   */
  readonly benignExit?: Readonly<Record<string, readonly number[]>>;
  /**
   * Where a JSON body says that it is an error, with dots between keys: `result.error`. Then nothing else in
   * the body counts: it is an error if what is there is anything but null, false, 0, '' or empty.
   * @defaultValue none: the usual places
   */
  readonly errorPath?: string;
}

const exitCodes: OptionRule = (value) => {
  const expected = object(value);
  if (expected !== undefined) return expected;
  const lists = Object.values(value as object) as unknown[];
  const areCodes = lists.every((list) => Array.isArray(list) && list.every(Number.isInteger));
  return areCodes ? undefined : 'lists of exit codes by program';
};

const RULES: Readonly<Record<keyof ToolSettings, OptionRule>> = {
  kind: oneOf('reader', 'shell', 'api', 'edit'),
  benignExit: exitCodes,
  errorPath: text,
};

/** Throws on a setting that does not exist or cannot have its value. */
export function checkToolSettings(settings: ToolSettings): void {
  checkOptions(settings, RULES, 'settings');
}
