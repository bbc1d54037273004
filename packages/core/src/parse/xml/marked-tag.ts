import { MarkerSet } from '../script/marker-set.ts';
import type { Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { takeSpace } from './take-space.ts';

/** A tag that a mark of its own stands before, so that no text can be taken for one. */
export interface MarkedTag {
  readonly name: string;
  readonly isClosing: boolean;
  /** The value of its attribute `name`. */
  readonly attribute: string;
  /** How it was written, but for the mark. */
  readonly source: string;
}

const TAG_END = new MarkerSet(['>', '\n']);
const LONGEST = 512;
const ATTRIBUTE = /\bname\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/;

/** Reads a tag from behind its mark; space may stand between them. Undefined when none is there. */
export function* readMarkedTag(input: ScriptInput): Script<MarkedTag | undefined> {
  const space = yield* takeSpace(input);
  if (!(yield* input.take('<'))) return undefined;
  const { text, marker } = yield* input.until(TAG_END);
  if (marker !== '>' || text.length > LONGEST) return undefined;
  input.skip(1);
  const isClosing = text.startsWith('/');
  const inner = (isClosing ? text.slice(1) : text).trim();
  const name = /^\S*/.exec(inner)?.[0] ?? '';
  const found = ATTRIBUTE.exec(inner.slice(name.length));
  const attribute = (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').trim();
  return { name, isClosing, attribute, source: `${space}<${text}>` };
}
