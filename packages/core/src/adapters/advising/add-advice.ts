import { cutOwnAdvice } from '../../advise/conversation/own-advice.ts';

/** A text with advice behind it; undefined where it has some already, as a guarded tool adds it itself. */
export function addAdvice(text: string, advice: string): string | undefined {
  if (cutOwnAdvice(text) !== text) return undefined;
  return text === '' ? advice : `${text}\n\n${advice}`;
}
