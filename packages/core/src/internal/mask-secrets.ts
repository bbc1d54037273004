/** What replaces a secret. */
export const SECRET_MASK = '***';

/**
 * A text without what looks like a secret: keys of known shapes, bearer tokens, private keys, passwords in addresses,
 * and values of names such as `password=`. A secret without a known shape or name is not found.
 */
export function maskSecrets(text: string): string {
  if (PLAIN_WORD.test(text)) return text;
  let masked = maskPrivateKeys(text);
  for (const [pattern, replacement] of PATTERNS) masked = masked.replace(pattern, replacement);
  return maskNamed(masked);
}

/** A hash, the name of a field: nothing below finds a secret in it, and trying all of it takes a while. */
const PLAIN_WORD = /^(?!dapi)[a-z\d][a-zA-Z\d]*$/;

/** Whether the value of this header, variable, field or option is a secret. That of `max_tokens` is not. */
export function isSecretName(name: string): boolean {
  return SECRET_WORD.test(name) && SECRET_NAMES.some((pattern) => pattern.test(name));
}

/** Every name of a secret holds one of these. */
const SECRET_WORD = /auth|cookie|credential|key|pass|pat|pwd|secret|token/i;

const SECRET_NAMES: readonly RegExp[] = [
  /authorization|cookie|passw(?:or)?d|passphrase|secret|credential|api[-_.]?key/i,
  // `PWD` and `OLDPWD` are folders.
  /(?:token|(?<!^(?:old)?)pwd)$/i,
  // `subscription-key`, `accountKey`; but not `primary_key`.
  /(?:access|account|admin|app|application|auth|client|deploy|encryption|license|master|private|rapidapi|service|shared|signing|ssh|storage|subscription|webhook)[-_.]?keys?$/i,
  // Variables: `STRIPE_KEY`, `GITHUB_PAT`.
  /(?<!(?:^|_)(?:CACHE|FOREIGN|OBJECT|PARTITION|PRIMARY|PUBLIC|PUBLISHABLE|SORT))_KEY$/,
  /_(?:PASS|PAT)$/,
  // Headers: `x-master-key`, `x-ado-pat`.
  /^x-(?:[\da-z]+-)*(?:auth|key|pat)$/i,
];

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

/** Keys are random after their prefix, so the prefix decides; where it is short, the exact form does. */
const SHAPES: readonly string[] = [
  // Models.
  String.raw`c?sk-[\w-]{16,}`,
  String.raw`(?:gsk|hf|lsv2|pcsk|r8|tgp_v1)_[\w-]{16,}`,
  String.raw`(?:nvapi|tvly|xai)-[\w-]{16,}|pplx-[\w-]{32,}`,
  String.raw`fw_[A-Za-z\d]{20,}|jina_[\da-f]{32}`,
  // Clouds.
  String.raw`A(?:KI|SI|BI|CC)A[A-Z\d]{16}(?![A-Za-z\d])`,
  String.raw`AIza[\w-]{30,}`,
  String.raw`GOCSPX-[\w-]{16,}`,
  String.raw`ya29\.[\w-]{16,}`,
  String.raw`[\w~.-]{3}\dQ~[\w~.-]{31,34}`,
  String.raw`LTAI[A-Za-z\d]{12,}`,
  String.raw`d(?:o[opr]_v1_[\w-]{16,}|api[\da-f]{32})`,
  String.raw`(?:hv[brs]|dp\.(?:ct|pt|sa|scim|st))\.[\w-]{16,}`,
  String.raw`[\dA-Za-z]{14}\.atlasv1\.[\w-]{16,}`,
  String.raw`(?:tskey|CFPAT|HRKU|PMAK)-[\w-]{16,}`,
  String.raw`(?:CCIPAT_|nfp_|ops_ey|pscale_(?:oauth|pw|tkn)_|sbp_|sb_secret_)[\w.=-]{16,}`,
  // Code and packages.
  String.raw`(?:gh[oprsu]|github_pat|dckr_[op]at|npm)_[\w-]{16,}|rubygems_[\da-f]{32,}`,
  String.raw`(?:gl(?:agent|cbt|dt|ft|imt|oas|pat|ptt|rt|soat)|pypi)-[\w-]{16,}`,
  String.raw`AT[AC]TT3[\w=-]{16,}`,
  // Messages and payment.
  String.raw`xapp-[\w-]{10,}|xox[a-z]-[\w-]{10,}`,
  String.raw`hooks\.slack\.com/(?:services|workflows)/[\w/]{16,}`,
  String.raw`discord(?:app)?\.com/api/webhooks/\d+/[\w-]{16,}`,
  String.raw`[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}`,
  String.raw`\d{8,10}:AA[\w-]{33}`,
  String.raw`[rs]k_(?:live|test)_\w{10,}`,
  String.raw`whsec_[\w+/=]{16,}`,
  String.raw`shp(?:at|ca|pa|ss)_[\dA-Fa-f]{16,}`,
  String.raw`sq0[a-z]{3}-[\w-]{16,}`,
  String.raw`SG\.[\w-]{16,64}\.[\w-]{16,}`,
  String.raw`(?:SK|key-)[\da-f]{32}`,
  // Operations and work.
  String.raw`gl(?:c|sa)_[\w+/=]{16,}`,
  String.raw`NR(?:AK|BR|II|JS|RA|SP)-[\w-]{16,}`,
  String.raw`(?:figd|lin_(?:api|oauth)|ntn|sntry[su])_[\w+/=-]{16,}|secret_[A-Za-z\d]{40,}`,
];

/** What ends in a letter or digit and yet in no word: an escape such as `\n` and `%20`, a color. */
const ESCAPE = String.raw`\\[bfnrtv]|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|%[\da-fA-F]{2}|\[[\d;]{1,8}m`;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // user:password@host
  [/(:\/\/[^\s:/@]{1,128}:)[^\s/@]{1,256}@/g, `$1${SECRET_MASK}@`],
  [/(bearer|basic)( {1,4})[\w.~+/-]{8,}=*/gi, `$1$2${SECRET_MASK}`],
  // A key begins where no word goes on.
  [new RegExp(`(?<![A-Za-z\\d])(?:${SHAPES.join('|')})`, 'g'), SECRET_MASK],
  [new RegExp(`(${ESCAPE})(?:${SHAPES.join('|')})`, 'g'), `$1${SECRET_MASK}`],
  // The three parts of a JSON web token. It may not begin after - or _ either, which its parts may hold.
  [
    new RegExp(String.raw`ey(?<=(?:(?<![\w.-])|${ESCAPE})ey)[\w-]+\.ey[\w-]+\.[\w-]+`, 'g'),
    SECRET_MASK,
  ],
  [/([?&](?:key|sig)=)[^\s"'&<>]{16,}/g, `$1${SECRET_MASK}`],
];

const WORD = new RegExp(SECRET_WORD, 'gi');
const REST_OF_NAME = /[\w.-]*/y;
const NO_NAME = /[^\w.-]/;
/** What is between a name and its value: `=`, `": `, `: ` or a space. */
const SEPARATOR = /\\?["']?(?:=|: ?)| {1,4}/y;
const QUOTE = /\\?["']/y;
/** How to authenticate, before a value. */
const SCHEME = /(?:basic|bearer|bot|digest|key|token) {1,4}/iy;
/** The end of a value: in quotes, in escaped quotes, without quotes. */
const VALUES: Readonly<Record<string, RegExp>> = {
  '"': /[^"\\\n]*(?:\\.[^"\\\n]*)*/y,
  "'": /[^'\\\n]*(?:\\.[^'\\\n]*)*/y,
  '\\"': /[^"\\\n]*(?:\\[^"][^"\\\n]*)*/y,
  "\\'": /[^'\\\n]*(?:\\[^'][^'\\\n]*)*/y,
};
const BARE = /(?:[^\s"'&,;\\]|\\(?!["'nrt]))+/y;

/** Masks the values of secret names. */
function maskNamed(text: string): string {
  let masked = '';
  let from = 0;
  WORD.lastIndex = 0;
  while (WORD.test(text)) {
    const nameEnd = endOf(REST_OF_NAME, text, WORD.lastIndex) ?? WORD.lastIndex;
    // Other words of the same name have the same end.
    WORD.lastIndex = nameEnd;
    const valueAt = endOf(SEPARATOR, text, nameEnd);
    if (valueAt === undefined) continue;
    const separator = text.slice(nameEnd, valueAt);
    const name =
      text
        .slice(Math.max(from, nameEnd - 64), nameEnd)
        .split(NO_NAME)
        .at(-1) ?? '';
    if (separator.startsWith(' ') && !name.startsWith('--')) continue;
    if (!isNamed(name, text[nameEnd - name.length - 1])) continue;
    const opened = endOf(QUOTE, text, valueAt) ?? valueAt;
    const quote = text.slice(valueAt, opened);
    const start = endOf(SCHEME, text, opened) ?? opened;
    const end = endOf(VALUES[quote] ?? BARE, text, start) ?? start;
    if (end - start < shortestValue(separator, quote)) continue;
    masked += text.slice(from, start) + SECRET_MASK;
    from = end;
    WORD.lastIndex = from;
  }
  return masked + text.slice(from);
}

/** The first letter of a name may belong to an escape: `\ntoken=`. In a text `PWD=` may be a password, too. */
function isNamed(name: string, before: string | undefined): boolean {
  if (isSecretName(name) || name.toLowerCase() === 'pwd') return true;
  return before === '\\' && isSecretName(name.slice(1));
}

/** After `: ` without quotes around the name there may be prose, of which the words are short. */
function shortestValue(separator: string, quote: string): number {
  if (separator.endsWith('=')) return 3;
  if (/^\\?["']/.test(separator)) return quote === '' ? Infinity : 1;
  return separator.startsWith(' ') ? 1 : 8;
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
