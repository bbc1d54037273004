import { MarkerSet } from '../script/marker-set.ts';

/** The tokenizer has the first of each; what models spell out, and what templates print, has the others. */
const BARS = ['｜', '|'];
const SPACES = ['▁', '_', ' ', '\\_'];

/** All spellings of a marker, those of one spelling at the same place in every list. */
function spellings(words: string, bars: readonly string[] = BARS): readonly string[] {
  const parts = words.split(' ');
  return bars.flatMap((bar) => SPACES.map((space) => `<${bar}${parts.join(space)}${bar}>`));
}

const SEPARATORS = spellings('tool sep');
const CALL_BEGINS = spellings('tool call begin');
const CALL_ENDS = spellings('tool call end');
const LIST_ENDS = spellings('tool calls end');
const SENTENCE_ENDS = spellings('end of sentence');

/** The markers DeepSeek's models put around calls, up to V3.1. */
export const DEEPSEEK_MARKERS: {
  /** The short one is a slip of R1. */
  readonly listBegins: readonly string[];
  readonly listEnds: MarkerSet;
  readonly callBegins: readonly string[];
  readonly callEnds: MarkerSet;
  readonly separators: MarkerSet;
  /** What ends a call, in the spelling of its separator. */
  readonly callEndBySeparator: ReadonlyMap<string, string>;
  /** What begins a call, in the spelling of its separator. */
  readonly callBeginBySeparator: ReadonlyMap<string, string>;
  readonly sentenceEnds: readonly string[];
  /** What may stand among the text behind calls. */
  readonly strays: readonly string[];
  /** What stands around results of tools, which models echo. As they are in no alphabet, prose has none. */
  readonly resultTokens: readonly string[];
} = {
  listBegins: [...spellings('tool calls begin'), ...spellings('tool calls', ['｜'])],
  listEnds: new MarkerSet(LIST_ENDS),
  callBegins: CALL_BEGINS,
  callEnds: new MarkerSet(CALL_ENDS),
  separators: new MarkerSet(SEPARATORS),
  callEndBySeparator: new Map(SEPARATORS.map((one, at) => [one, CALL_ENDS[at] ?? ''])),
  callBeginBySeparator: new Map(SEPARATORS.map((one, at) => [one, CALL_BEGINS[at] ?? ''])),
  sentenceEnds: SENTENCE_ENDS,
  strays: [...LIST_ENDS, ...SENTENCE_ENDS],
  resultTokens: ['outputs▁begin', 'output▁begin', 'output▁end', 'outputs▁end'].map(
    (words) => `<｜tool▁${words}｜>`,
  ),
};
