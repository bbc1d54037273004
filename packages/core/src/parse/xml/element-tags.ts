import type { JsonObject } from '../../types.ts';
import { isJsonObject } from '../call-keys.ts';
import { MarkerSet } from '../script/marker-set.ts';

/** The tags of one tool whose parameters are elements. */
export class ElementTags {
  /** The parameters of the tool; undefined when it does not say. */
  readonly parameters: readonly string[] | undefined;
  readonly callCloses: MarkerSet;
  /** What may stand behind a parameter. */
  readonly followers: MarkerSet;
  /** The parameter that a tag of `followers` begins; none where it ends the call. */
  readonly #begins = new Map<string, string>();
  readonly #tags: readonly string[];
  readonly #inValue = new Map<string, MarkerSet>();

  constructor(tool: string, schema: JsonObject | undefined) {
    const properties = schema?.['properties'];
    this.parameters = isJsonObject(properties) ? Object.keys(properties) : undefined;
    const closes = closingTags(tool);
    for (const name of this.parameters ?? []) {
      this.#begins.set(`<${name}>`, name);
      this.#begins.set(`<${name}/>`, name);
    }
    // Whatever element comes next, if nothing says which may.
    this.#tags = [...closes, ...(this.parameters === undefined ? ['<'] : this.#begins.keys())];
    this.callCloses = new MarkerSet(closes);
    this.followers = new MarkerSet(this.#tags);
  }

  /** The parameter that the tag begins; undefined when it begins none that is known. */
  parameterOf(tag: string): string | undefined {
    return this.#begins.get(tag);
  }

  /** What matters in the text of a parameter that is written `<name>`. */
  inValue(name: string): MarkerSet {
    const known = this.#inValue.get(name);
    if (known !== undefined) return known;
    const open = `<${name}>`;
    const others = this.#tags.filter((tag) => tag !== open);
    const markers = new MarkerSet([open, ...closingTags(name), ...others]);
    // Names that only one text has would be kept for nothing.
    if (this.parameters?.includes(name) === true) this.#inValue.set(name, markers);
    return markers;
  }
}

/** The tags that close an element, as models write them. */
export function closingTags(name: string): string[] {
  return [`</${name}>`, `</ ${name}>`, `</${name} >`];
}

/** Tools stay the same from one text to the next, and their tags with them. */
const tagsBySchema = new WeakMap<JsonObject, Map<string, ElementTags>>();

export function elementTagsOf(tool: string, schema: JsonObject | undefined): ElementTags {
  if (schema === undefined) return new ElementTags(tool, schema);
  const known = tagsBySchema.get(schema) ?? new Map<string, ElementTags>();
  tagsBySchema.set(schema, known);
  const tags = known.get(tool) ?? new ElementTags(tool, schema);
  known.set(tool, tags);
  return tags;
}
