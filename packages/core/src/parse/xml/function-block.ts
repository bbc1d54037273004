import type { Format } from '../format.ts';
import { skipSpace } from '../json/char-code.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { FunctionCallReader, readFunctionName } from './function-call.ts';
import type { FunctionMarkup } from './function-markup.ts';
import { HEADS, OTHER_HEADS, readTag } from './function-tag.ts';

/** Functions inside their block. */
export function functionBlockFormat(markup: FunctionMarkup): Format {
  const script = (input: ScriptInput): Script<Declined | undefined> =>
    readFunctions(input, markup, true);
  return scriptFormat([markup.blockBegin], script, declinesBlock);
}

/** Functions whose block was forgotten. */
export function bareFunctionFormat(markup: FunctionMarkup): Format {
  const openings = ['<function=', ...OTHER_HEADS].map((text) => ({ text, bodyFrom: 0 }));
  return scriptFormat(openings, (input) => readFunctions(input, markup, false));
}

function* readFunctions(
  input: ScriptInput,
  markup: FunctionMarkup,
  isWrapped: boolean,
): Script<Declined | undefined> {
  for (;;) {
    yield* input.skipSpace();
    const isEmpty = input.drafts.length === 0;
    if ((!isEmpty || markup.isOwnTag) && (yield* input.take(markup.blockEnd))) {
      if (isEmpty) input.frame = { kind: 'markup' };
      return undefined;
    }
    const head = yield* input.takeAny(HEADS);
    if (head === undefined) {
      if (isWrapped) input.drafts.at(-1)?.note('missing-end-marker');
      return input.stop('no function follows');
    }
    const { tag } = yield* readTag(input, head);
    const name = tag && (yield* readFunctionName(input, tag));
    if (tag === undefined || name === undefined) return input.stop('no function is named');
    if (isWrapped) input.resemblesCall = true;
    if (tag.isEmpty) {
      input.endCall(input.beginCall(name));
      continue;
    }
    const end = yield* new FunctionCallReader(input, markup, name, isWrapped).read();
    if (!end.goesOn) return end.result;
  }
}

/** Whether no function can stand at `at`. */
function declinesBlock(text: string, at: number): boolean {
  const start = skipSpace(text, at);
  const code = text.charCodeAt(start);
  // What is not here yet a reader has to see.
  if (Number.isNaN(code) || code === LOWER_F) return false;
  if (code !== LESS_THAN) return true;
  return TAG_BEGINNINGS.at(text, start, false) === undefined;
}

const LESS_THAN = 0x3c;
const LOWER_F = 0x66;
/** How tags of functions and parameters begin in all their spellings, and closing ones. */
const TAG_BEGINNINGS = new MarkerSet(['<f', '<p', '<c', '<to', '<i', '</', '< ', '<\n', '<\t']);
