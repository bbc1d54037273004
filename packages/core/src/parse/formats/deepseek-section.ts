import type { Format } from '../format.ts';
import { skipSpace } from '../json/char-code.ts';
import type { OfferedTools } from '../offered-tools.ts';
import { endOfTurn } from '../script/end-of-turn.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { markupTokens } from '../script/markup-tokens.ts';
import { readCallList, readLoneCalls } from '../script/read-call-list.ts';
import type { CallList } from '../script/read-call-list.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { isToolName } from '../xml/tool-name.ts';
import { DEEPSEEK_MARKERS } from './deepseek-markers.ts';

const {
  callBegins,
  callEnds,
  listBegins,
  listEnds,
  resultTokens,
  separators,
  sentenceEnds,
  strays,
} = DEEPSEEK_MARKERS;
const CALL_BEGINS = new MarkerSet(callBegins);
/** No word before a separator is longer; prose is. */
const LONGEST_WORD = 128;
const LESS_THAN = 0x3c;

/** Reads a call from behind its separator; `word` is what stood before it. */
export type DeepSeekCall = (
  input: ScriptInput,
  word: string,
  separator: string,
) => Script<Declined | undefined>;

/**
 * A section of calls, `<｜tool▁calls▁begin｜>…<｜tool▁calls▁end｜>`, or calls without one. Each begins with
 * a word and a separator; the versions differ in what these mean. Where there are none, one version says so
 * for all of them.
 */
export function deepSeekFormats(
  parser: string,
  readRest: DeepSeekCall,
  saysWhatIsMissing: boolean,
): readonly Format[] {
  function* readCall(input: ScriptInput): Script<Declined | undefined> {
    const written = yield* input.takeWhile((code) => code !== LESS_THAN, LONGEST_WORD);
    const word = written.trim();
    const separator = yield* input.takeAny(separators);
    if (separator !== undefined && isToolName(input.context, word))
      return yield* readRest(input, word, separator);
    const isAtEnd = yield* input.isAtEnd();
    const isPart = separator !== undefined || (yield* input.takeAny(callEnds)) !== undefined;
    input.resemblesCall ||= saysWhatIsMissing && (isAtEnd ? /^\w\S*$/.test(word) : isPart);
    return isAtEnd ? input.cutShort() : input.stop('no name and separator follow');
  }
  const calls: CallList = { callBegins: CALL_BEGINS, listEnds, readCall };
  function* readSection(input: ScriptInput): Script<Declined | undefined> {
    yield* input.skipSpace();
    // The beginning of the first call is sometimes left out.
    if (/^\w/.test(yield* input.peek(1))) return yield* readLoneCalls(input, calls, '');
    return yield* readCallList(input, calls);
  }
  return [
    scriptFormat(listBegins, readSection, declinesSection),
    scriptFormat(callBegins, (input) => readLoneCalls(input, calls, ''), declinesSection),
    markupTokens(strays, parser),
    markupTokens(resultTokens),
    endOfTurn(...sentenceEnds),
  ];
}

/**
 * Whether a tag follows the separator of the first call, where a name or JSON would: Step-3 has borrowed the
 * tokens. It looks where `readCall` does and nowhere else: a separator further on is not of this call.
 */
function declinesSection(text: string, bodyAt: number, tools: OfferedTools | undefined): boolean {
  const start = skipSpace(text, bodyAt);
  const begin = CALL_BEGINS.at(text, start, true);
  const wordAt = start + (typeof begin === 'string' ? begin.length : 0);
  const [word = ''] = text.slice(wordAt, bodyAt + LONGEST_WORD).split('<', 1);
  // What has no name, or no separator behind it, a reader has more to say of.
  if (!isToolName({ tools }, word.trimEnd())) return false;
  const separator = separators.at(text, wordAt + word.length, true);
  if (typeof separator !== 'string') return false;
  const rest = wordAt + word.length + separator.length;
  return text.charCodeAt(rest) === LESS_THAN && /[a-z]/i.test(text.charAt(rest + 1));
}
