/** The issues of a turn that mean: something looked like a call, and the client got it as text. */
export const UNREAD_CODES: ReadonlySet<string> = new Set([
  'unreadable-call',
  'incomplete-call',
  'call-abandoned',
  'call-too-large',
  'call-too-deep',
  'invalid-calls',
  'call-not-told',
  'input-too-large',
  'parse-timeout',
  'work-budget-exceeded',
]);
