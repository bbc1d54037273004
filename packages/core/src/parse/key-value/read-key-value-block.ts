import { isWord } from '../json/char-code.ts';
import type { CallDraft } from '../script/call-draft.ts';
import type { BlockScript, Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import type { KeyValueMarkup } from './key-value-markup.ts';
import { KeyValueReader } from './key-value-reader.ts';

const CALL = 'call:';
/** No tool has a longer name; prose is longer. */
const LONGEST_NAME = 128;

/** Reads a block from behind its beginning: `call:NAME{…}`, once or several times, and what ends the block. */
export function keyValueBlock(markup: KeyValueMarkup): BlockScript {
  return function* readBlock(input: ScriptInput): Script<Declined | undefined> {
    yield* input.skipSpace();
    // Some models write the beginning twice.
    while (yield* input.take(markup.begin)) yield* input.skipSpace();
    if (yield* input.take(markup.end)) {
      input.frame = { kind: 'markup' };
      return undefined;
    }
    for (;;) {
      if (!(yield* input.take(CALL))) return input.stop('no call follows');
      const problem = yield* readCall(input, markup);
      const draft = input.drafts.at(-1);
      if (problem !== undefined || draft?.isClosed !== true || input.endsAt !== undefined)
        return problem;
      yield* input.skipSpace();
      if (yield* input.take(markup.end)) {
        input.endCall(draft);
        while ((yield* input.takeAny(markup.noise)) !== undefined) input.endCall(draft);
        return undefined;
      }
      if (!(yield* input.startsWith(CALL))) {
        draft.note('missing-end-marker');
        return input.stop('no other call follows');
      }
    }
  };
}

function* readCall(input: ScriptInput, markup: KeyValueMarkup): Script<Declined | undefined> {
  input.resemblesCall = true;
  yield* input.skipSpace();
  const name = yield* input.takeWhile(isNameCharacter, LONGEST_NAME);
  yield* input.skipSpace();
  if (yield* input.isAtEnd()) return input.cutShort();
  const hasArguments = yield* input.take('{');
  // With the next call in it, the arguments between them lost their bracket.
  const isName = name !== '' && !name.includes(CALL);
  if (!isName || !(hasArguments || (yield* input.startsWith(markup.end))))
    return input.stop(`${JSON.stringify(name.slice(0, 40))} names no tool`);
  const draft = input.beginCall(name);
  if (!hasArguments) {
    input.endCall(draft);
    return undefined;
  }
  return yield* readArguments(input, markup, draft);
}

function* readArguments(
  input: ScriptInput,
  markup: KeyValueMarkup,
  draft: CallDraft,
): Script<Declined | undefined> {
  const reader = new KeyValueReader(input, markup, draft);
  if (!(yield* reader.arguments())) {
    return reader.isCut ? input.cutShort() : input.stop(reader.failure);
  }
  input.endCall(draft);
  // The end marker was found in a string that had lost its end: the block reaches to it, whatever was read since.
  input.endsAt = reader.endsAt;
  return undefined;
}

function isNameCharacter(code: number): boolean {
  return isWord(code) || code === 0x2d || code === 0x2e || code === 0x2f || code === 0x3a;
}
