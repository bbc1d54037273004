import { maskSecrets } from '../internal/mask-secrets.ts';

/**
 * One line of a tool's output, made safe to quote to a model: secrets masked, no control or invisible
 * characters, no markup, fences or roles, at most `maxWords` words. A line that reads like an instruction is
 * not repeated at all. Tool output is written by anyone; quoted by us it would carry our authority.
 */
export function safeEvidence(line: string, maxWords: number): string {
  const plain = plainLine(maskSecrets(line.slice(0, MAX_READ)));
  if (plain === '' || maxWords < 1) return '';
  if (INSTRUCTIONS.some((pattern) => pattern.test(plain))) return WITHHELD;
  return cutWords(withoutMarkup(plain), maxWords);
}

const MAX_READ = 1000;
const MAX_LENGTH = 160;
const WITHHELD = '(not shown: it reads like an instruction)';

/** A text on one line, without colours, control characters and characters that cannot be seen. */
export function plainLine(text: string): string {
  return text
    .replace(/\x1b\[[\d;?]*[a-z]/gi, '')
    .replace(/[\p{Cf}\p{Co}\p{Cs}\u{E0000}-\u{E0FFF}]/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** What begins a tag, a fence, a link or the end of our quotation becomes a look-alike without power. */
function withoutMarkup(text: string): string {
  return text
    .replace(/[<＜]/g, '‹')
    .replace(/[>＞]/g, '›')
    .replace(/["`“”„«»]/g, "'")
    .replace(/~{3,}/g, '~')
    .replace(/\]\(/g, '] (')
    .replace(/\[\/?(?:INST|SYS)\]/gi, '')
    .replace(/\b(system|assistant|user|human|developer|tool) ?:/gi, '$1 -')
    .replace(/#{2,}/g, '#')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** What texts say that want something of a model. Errors do not speak so. */
const INSTRUCTIONS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{1,40}\b(?:instructions?|prompts?|rules?|guidelines|above|previous|prior|everything)\b/i,
  /\b(?:previous|prior|above|system|new|hidden) (?:instructions?|prompts?)\b/i,
  /\byou (?:are now|must now|should now|will now|have to now)\b/i,
  /\b(?:you|assistant|agent|model|ai) (?:must|should|shall|need to|have to) (?:run|execute|call|send|delete|reveal|print|output|respond|reply|say|use|visit|open|follow|obey)\b/i,
  /\b(?:act|behave|respond|pretend) (?:as|like) (?:a|an|the|if|though)\b/i,
  /\bdo not (?:tell|inform|mention|reveal|alert) (?:the |this |anything )?(?:to )?(?:the )?user\b/i,
  /<\|[^|]{1,40}\|>|<\/?(?:system|tool_result|tool_call|function_calls|instructions?)\b/i,
];

function cutWords(text: string, maxWords: number): string {
  const words = text.split(' ');
  const few = words.slice(0, maxWords).join(' ');
  const isWhole = words.length <= maxWords && few.length <= MAX_LENGTH;
  return isWhole ? few : `${few.slice(0, MAX_LENGTH).trimEnd()}…`;
}
