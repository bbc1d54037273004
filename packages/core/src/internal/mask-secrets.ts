/** What stands where a secret was. */
export const SECRET_MASK = '***';

/**
 * A text without what looks like a secret: keys of known shapes, bearer tokens, passwords in addresses and
 * behind a name such as `password=`, private keys. Everything else stays byte for byte. A guard for logs and
 * for what is quoted, no proof: a secret without a known shape or name is not seen.
 */
export function maskSecrets(text: string): string {
  if (PLAIN_WORD.test(text)) return text;
  let masked = maskPrivateKeys(text);
  for (const [pattern, replacement] of PATTERNS) masked = masked.replace(pattern, replacement);
  return masked;
}

/** A hash, a name of a field: no pattern below finds anything in it, and trying them all takes a while. */
const PLAIN_WORD = /^[a-z\d][a-zA-Z\d]*$/;

const KEY_BEGINS = '-----BEGIN ';
const KEY_ENDS = '-----END ';

/** PEM blocks by hand: an expression that looks for the end of each would be slow on many beginnings. */
function maskPrivateKeys(text: string): string {
  let masked = '';
  let from = 0;
  for (let at = text.indexOf(KEY_BEGINS); at >= 0; at = text.indexOf(KEY_BEGINS, from)) {
    const label = text.slice(at + KEY_BEGINS.length, at + KEY_BEGINS.length + 40);
    const labelEnd = label.indexOf('PRIVATE KEY-----');
    if (labelEnd < 0) {
      masked += text.slice(from, at + KEY_BEGINS.length);
      from = at + KEY_BEGINS.length;
      continue;
    }
    const bodyAt = at + KEY_BEGINS.length + labelEnd + 'PRIVATE KEY-----'.length;
    const end = text.indexOf(KEY_ENDS, bodyAt);
    masked += text.slice(from, bodyAt) + SECRET_MASK;
    // A key whose end was cut off is a key all the same.
    if (end < 0) return masked;
    from = end;
  }
  return masked + text.slice(from);
}

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // user:password@host
  [/(:\/\/[^\s:/@]{1,128}:)[^\s/@]{1,256}@/g, `$1${SECRET_MASK}@`],
  [/\b(bearer|basic)( {1,4})[\w.~+/-]{8,}=*/gi, `$1$2${SECRET_MASK}`],
  [/\bsk-[\w-]{16,}/g, SECRET_MASK],
  [/\b[sr]k_(?:live|test)_\w{10,}/g, SECRET_MASK],
  [/\b(?:gh[opsur]_|github_pat_|glpat-|npm_|hf_|xai-|gsk_|pypi-|dop_v1_)[\w-]{16,}/g, SECRET_MASK],
  [/\bxox[a-z]-[\w-]{10,}/g, SECRET_MASK],
  [/\b(?:AKIA|ASIA)[A-Z\d]{16}\b/g, SECRET_MASK],
  [/\bAIza[\w-]{30,}/g, SECRET_MASK],
  // The three parts of a JSON web token.
  [/(?<![\w.-])ey[\w-]+\.ey[\w-]+\.[\w-]+/g, SECRET_MASK],
  // DB_PASSWORD=…, api_key=…, --token=…; `token_count=5` names no secret.
  [
    /(password|passwd|passphrase|pwd|secret|token|api_?key|api-key|access_?key|private_?key|credentials?)(=["']?)[^\s"'&,;]{3,}/gi,
    `$1$2${SECRET_MASK}`,
  ],
  // "password": "…"
  [
    /(password|passwd|passphrase|pwd|secret|token|api_?key|access_?key|private_?key)(": ?)"[^"]{1,512}"/gi,
    `$1$2"${SECRET_MASK}"`,
  ],
  // token: …; what follows `Unexpected token:` is short.
  [
    /(password|passwd|passphrase|pwd|secret|token|api[_-]?key|access_?key|private_?key)(: ?)[^\s"'&,;{[]{8,}/gi,
    `$1$2${SECRET_MASK}`,
  ],
  [/(--(?:password|passwd|token|secret|api-key) {1,4})[^\s"'-][^\s"']*/gi, `$1${SECRET_MASK}`],
];
