const RULES = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // No text of a model becomes a script, whatever the page does with it.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

/** What a browser may do with the page: run its own files, ask its own gateway, and nothing else. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': RULES.join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
