/**
 * The design that the advisor began with: words over the whole output, the first that matches counts. They stand here
 * as what it is measured against. As texts, because one of them takes time that grows with the square of its input,
 * which is no way to read what a tool returned.
 */
const WORDS = [
  ['timeout', 'timeout|timed?\\s*out|deadline exceeded|connection.*reset'],
  ['not_found', 'not found|no such file|does not exist|404|command not found|unknown tool'],
  ['permission', 'permission denied|access denied|forbidden|403|unauthorized|401'],
  [
    'syntax',
    'syntax error|invalid argument|unexpected token|parse error|malformed|missing required',
  ],
  ['network', 'connection refused|network unreachable|DNS|ECONNREFUSED|could not resolve'],
  ['resource', 'out of memory|disk full|no space left|quota exceeded|resource exhausted'],
  ['dependency', 'no module named|import error|ModuleNotFoundError|package.*not installed'],
  ['execution', 'error|exception|failed|traceback'],
];

export const wordPatterns = WORDS.map(([parent, source]) => ({
  parent,
  pattern: new RegExp(source, 'i'),
}));
