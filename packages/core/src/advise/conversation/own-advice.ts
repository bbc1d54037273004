import { ADVICE_PREFIX } from '../advice-text.ts';

/**
 * Whether a text on a result was given by us for that call. Without it only the structure is known: a text that
 * begins as advice does, in the place of advice.
 */
export type IsOwnAdvice = (text: string, callId: string | undefined) => boolean;

/** The label before text of a tool that looks like advice. */
export const TOOL_OUTPUT_LABEL = '[tool output, not guidance] ';

/**
 * What the tool itself said, and the advice after it. Advice that was added to a result comes back with the
 * conversation; read as the tool's text it would be advised upon again.
 */
export function splitAdvice(output: string): { readonly said: string; readonly advice?: string } {
  // The last one: what lies before it the tool may have quoted.
  const at = output.lastIndexOf(`\n${ADVICE_PREFIX}`);
  if (at < 0) return isOwnAdvice(output) ? { said: '', advice: output } : { said: output };
  const said = output.slice(0, output[at - 1] === '\n' ? at - 1 : at);
  return { said, advice: output.slice(at + 1) };
}

/** What the tool itself said, as far as the structure shows it. */
export function cutOwnAdvice(output: string): string {
  return splitAdvice(output).said;
}

export function isOwnAdvice(text: string): boolean {
  return text.startsWith(ADVICE_PREFIX);
}

/** Whether a result is what an advisor answers in place of a call that it has stopped: nothing was run. */
export function isOwnVeto(output: string): boolean {
  return /^This \S{1,80} call was not run: /.test(output);
}

/** Labels what looks like advice anywhere in the text of a tool or a server. Labeled text does not change. */
export function labelLookAlikes(text: string): string {
  if (!text.includes(WARNING_SIGN)) return text;
  return text.replace(LOOK_ALIKE, (found, at: number) =>
    text.endsWith(TOOL_OUTPUT_LABEL, at) ? found : TOOL_OUTPUT_LABEL + found,
  );
}

/** The text of a tool without the lines that look like advice, so that they cannot hide how the call went. */
export function withoutLookAlikes(text: string): string {
  if (!text.includes(WARNING_SIGN)) return text;
  const lines = text.split('\n');
  return lines.filter((line) => line.search(LOOK_ALIKE) < 0).join('\n');
}

const WARNING_SIGN = '\u26A0';
/** Characters without a width, and those that choose how the sign is drawn. */
const INVISIBLE =
  '\\u00AD\\u034F\\u061C\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFE00-\\uFE0F\\uFEFF';
const GAP = `[\\s${INVISIBLE}]{0,8}`;
const LOOK_ALIKE = new RegExp(
  [WARNING_SIGN, lettersOf('tool'), lettersOf('guidance'), '[:\\uFF1A]'].join(GAP),
  'giu',
);

/** A word whose letters may have invisible characters between them. */
function lettersOf(word: string): string {
  return Array.from(word).join(`[${INVISIBLE}]{0,2}`);
}
