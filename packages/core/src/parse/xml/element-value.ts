import { MarkerSet } from '../script/marker-set.ts';
import type { Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { closingTags } from './element-tags.ts';
import type { ElementTags } from './element-tags.ts';
import { takeSpace } from './take-space.ts';
import type { ValueText } from './value-text.ts';

/** What ended the text of a parameter: its own tag, or what comes next; `cut` when the text ended. */
export type ElementValueEnd = 'closed' | 'next' | 'cut';

const SECTION = '<![CDATA[';
const SECTION_END = new MarkerSet([']]>']);

/**
 * Reads the text of the parameter `<name>` up to the tag that closes it: one that closes no element of the
 * same name in the text, and has nothing behind it, the end of the call, or a parameter that `mayFollow`.
 * Of a call that nothing closes (`isOpen`), the first such tag closes it.
 */
export function* readElementValue(
  input: ScriptInput,
  tags: ElementTags,
  name: string,
  value: ValueText,
  mayFollow: (parameter: string) => boolean,
  isOpen = false,
): Script<ElementValueEnd> {
  const open = `<${name}>`;
  const closes = closingTags(name);
  const markers = tags.inValue(name);
  const add = (piece: string): void => value.add(piece);
  const isNext = (tag: string): boolean => {
    const parameter = tags.parameterOf(tag);
    return parameter === undefined || mayFollow(parameter);
  };
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
    if (!isClosing && marker !== open && depth === 0 && value.isDoubtful && isNext(marker)) {
      value.giveUp();
      return 'next';
    }
    input.skip(marker.length);
    if (isClosing && depth === 0 && isOpen) {
      value.settle();
      return 'closed';
    }
    if (isClosing && depth === 0) {
      const space = yield* takeSpace(input);
      const next = yield* input.peekAny(tags.followers);
      if (next === undefined ? yield* input.isAtEnd() : isNext(next)) {
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
