import { phrase } from './phrase.ts';

/** Ends of outputs that wait for someone to type. */
const PROMPTS: readonly RegExp[] = [
  /\s[[(](?:y|yes|y\/n|yes\/no|yes\/no\/\[fingerprint\])[\])]\s?[:?]?$/i,
  /^(?:do you want to|are you sure|continue|proceed|overwrite)\b.{0,80}\?$/i,
  /^--more--/i,
  /^\? .{1,80}\?/,
];

/** What programs ask for in front of a colon. */
const ASKED = [
  'password',
  'passphrase',
  'passcode',
  'username',
  'login',
  'api key',
  'access key',
  'access key id',
  'secret',
  'token',
  'otp',
  'verification code',
].map(phrase);

const PRESSED = ['^press enter', '^press return', '^press any key', '^hit enter'].map(phrase);

/** Whether the last line of an output is a question that nobody can answer. */
export function isPrompt(line: string): boolean {
  const text = line.trimEnd().slice(-120);
  const lower = text.toLowerCase();
  const asks = (list: typeof ASKED): boolean => list.some((found) => found(lower));
  // Source has such words and colons, too, with other signs around them.
  if (/^\s/.test(line)) return false;
  if (text.endsWith(':') && !/[()=,{}]/.test(text) && asks(ASKED)) return true;
  return asks(PRESSED) || PROMPTS.some((form) => form.test(text));
}
