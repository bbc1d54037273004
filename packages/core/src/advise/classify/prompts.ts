/** Ends of outputs that wait for someone to type. */
const PROMPTS: readonly RegExp[] = [
  /[[(](?:y\/n|yes\/no|y\/N|Y\/n|yes\/no\/\[fingerprint\]|y|Y)[\])]\s{0,2}[:?]?\s{0,2}$/i,
  /\b(?:password|passphrase|passcode|username|login|api key|access key|secret|token|otp|pin|verification code)(?: for [^:]{1,80})?:\s{0,2}$/i,
  /\bpress (?:enter|return|any key)\b[^.]{0,40}$/i,
  /^(?:do you want to|are you sure|continue|proceed|overwrite)\b.{0,80}\?\s{0,2}$/i,
  /^--more--/i,
  /^\? .{1,80}\?.{0,20}$/,
];

/** Whether the last line of an output is a question that nobody can answer. */
export function isPrompt(line: string): boolean {
  const text = line.slice(-200);
  return PROMPTS.some((form) => form.test(text));
}
