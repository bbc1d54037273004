import { MarkerSet } from '../script/marker-set.ts';
import type { Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { comesNext } from './comes-next.ts';
import { takeSpace } from './take-space.ts';
import type { ValueText } from './value-text.ts';

/** What ended the text of a parameter: its own tag, or what comes next; `cut` when the text ended. */
export type ElementValueEnd = 'closed' | 'next' | 'cut';

const SECTION = '<![CDATA[';
const SECTION_END = new MarkerSet([']]>']);

/**
 * Reads the text of the parameter `<name>` up to the tag that closes it: one that closes no element of the
 * same name in the text, and has one of `followers` or nothing behind it. Those end the call or begin
 * another parameter.
 */
export function* readElementValue(
  input: ScriptInput,
  name: string,
  followers: readonly string[],
  value: ValueText,
): Script<ElementValueEnd> {
  const open = `<${name}>`;
  const closes = closingTags(name);
  const next = new MarkerSet(followers);
  const markers = new MarkerSet([open, ...closes, ...followers.filter((tag) => tag !== open)]);
  const add = (piece: string): void => value.add(piece);
  let depth = 0;
  if (yield* input.take(SECTION)) {
    const { marker } = yield* input.until(SECTION_END, add);
    input.skip(marker?.length ?? 0);
  }
  for (;;) {
    const { marker } = yield* input.until(markers, add);
    if (marker === undefined) {
      value.settle();
      return 'cut';
    }
    const isClosing = closes.includes(marker);
    if (!isClosing && marker !== open && depth === 0 && value.isDoubtful) {
      value.giveUp();
      return 'next';
    }
    input.skip(marker.length);
    if (isClosing && depth === 0) {
      const space = yield* takeSpace(input);
      if ((yield* comesNext(input, next)) || (yield* input.isAtEnd())) {
        value.settle();
        return 'closed';
      }
      value.doubt(marker + space);
      continue;
    }
    if (isClosing) depth--;
    else if (marker === open) depth++;
    value.add(marker);
  }
}

/** The tags that close an element, as models write them. */
export function closingTags(name: string): string[] {
  return [`</${name}>`, `</ ${name}>`, `</${name} >`];
}
