import { ADVICE_PREFIX } from '../advice-text.ts';

/**
 * What the tool itself said. Advice that was added to a result comes back with the conversation; read as the
 * tool's text it would be advised upon again.
 */
export function cutOwnAdvice(output: string): string {
  if (isOwnAdvice(output)) return '';
  // The last one: what lies before it the tool may have quoted.
  const at = output.lastIndexOf(`\n${ADVICE_PREFIX}`);
  if (at < 0) return output;
  return output.slice(0, output[at - 1] === '\n' ? at - 1 : at);
}

export function isOwnAdvice(text: string): boolean {
  return text.startsWith(ADVICE_PREFIX);
}

/** Whether a result is what an advisor answers in place of a call that it has stopped: nothing was run. */
export function isOwnVeto(output: string): boolean {
  return /^This \S{1,80} call was not run: /.test(output);
}
