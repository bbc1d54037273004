import { readCallsWithArguments } from '../call-shape.ts';
import type { Format } from '../format.ts';
import { skipSpace } from '../json/char-code.ts';
import { MarkerSet } from './marker-set.ts';
import { scriptFormat } from './script-format.ts';
import type { Declined, Script } from './script.ts';
import type { ScriptInput } from './script-input.ts';
import { takeJsonCalls } from './take-json-calls.ts';

const FENCE = '```';
/** No name of a language is longer. */
const LONGEST_LANGUAGE = 20;

/** A Markdown fence with nothing in it but JSON calls between tags: then the fence belongs to them. */
export function fencedTags(tags: readonly string[]): Format {
  const openings = new MarkerSet(tags.map((tag) => `<${tag}>`));

  function* readFence(input: ScriptInput): Script<Declined | undefined> {
    yield* input.takeWhile(isLanguageLetter, LONGEST_LANGUAGE);
    for (;;) {
      yield* input.skipSpace();
      if (input.drafts.length > 0 && ((yield* input.take(FENCE)) || (yield* input.isAtEnd())))
        return undefined;
      const opening = yield* input.takeAny(openings);
      if (opening === undefined) return input.decline('no call follows the fence');
      const problem = yield* readTag(input, opening);
      if (problem !== undefined) return problem;
    }
  }

  return scriptFormat([{ text: FENCE, at: 'line-start' }], readFence, declinesFence);
}

/** Whether something else than a tag stands in the fence, as far as a look tells. */
function declinesFence(text: string, from: number): boolean {
  let at = from;
  while (at - from < LONGEST_LANGUAGE && isLanguageLetter(text.charCodeAt(at))) at++;
  at = skipSpace(text, at);
  return at < text.length && text.charAt(at) !== '<';
}

function* readTag(input: ScriptInput, opening: string): Script<Declined | undefined> {
  const closing = `</${opening.slice(1)}`;
  yield* input.skipSpace();
  if ((yield* input.peek(1)) === '' || !'{['.includes(yield* input.peek(1)))
    return input.decline('no JSON follows the tag');
  const json = yield* input.json({ endMarker: closing, nextMarker: opening });
  if (json.value === undefined) return input.decline(json.failure);
  if (json.complete) {
    const calls = readCallsWithArguments(json.value, input.context.maxDepth);
    if (typeof calls === 'string') return input.decline(calls);
  }
  const problem = takeJsonCalls(input, json);
  if (problem !== undefined || !json.complete) return problem;
  yield* input.skipSpace();
  const last = input.drafts.at(-1);
  if (yield* input.take(closing)) {
    if (last !== undefined) input.endCall(last);
  } else if (yield* input.isAtEnd()) last?.note('missing-end-marker');
  else return input.decline(`expected ${closing} after the JSON`);
  return undefined;
}

function isLanguageLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x2d;
}
