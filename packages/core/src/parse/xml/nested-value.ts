import { ARRAY, OBJECT, typesOf } from '../../internal/schema-types.ts';
import { newWalk, valueFromText } from '../../internal/schema-values.ts';
import type { Untyped } from '../../internal/schema-values.ts';
import type { SchemaWalk } from '../../internal/schema-walk.ts';
import type { JsonObject, JsonValue } from '../../types.ts';
import { setOwn } from '../../internal/set-own.ts';
import type { NestedElement } from './nested-element.ts';
import { schemaOfItem, schemaOfMember } from './nested-schema.ts';

/** Turns elements into values, by the schema of a tool where one was given. */
export class NestedValues {
  readonly #root: JsonObject | undefined;
  readonly #untyped: Untyped;
  readonly #walk: SchemaWalk;

  /** `untyped` says what a text means that no schema speaks of. */
  constructor(root: JsonObject | undefined, untyped: Untyped) {
    this.#root = root;
    this.#untyped = untyped;
    this.#walk = newWalk(root, 0);
  }

  /** Elements side by side are members, those of one name a list; `item` is an item. */
  valueOf(element: NestedElement, schema: JsonValue | undefined): JsonValue {
    const { text, children } = element;
    if (children.length === 0) return valueFromText(text, schema, this.#root, this.#untyped);
    if (this.#isList(element, schema))
      return children.map((child, at) => this.valueOf(child, schemaOfItem(schema, at, this.#walk)));
    return this.#objectOf(element, schema);
  }

  #objectOf({ text, children }: NestedElement, schema: JsonValue | undefined): JsonValue {
    const object: Record<string, JsonValue> = {};
    for (const [name, same] of byName(children)) {
      const member = schemaOfMember(schema, name, this.#walk);
      const [first] = same;
      const value =
        same.length === 1 && first !== undefined
          ? this.valueOf(first, member)
          : this.repeated(same, member);
      setOwn(object, name, value);
    }
    // Text between elements has no name of its own.
    if (text.trim() !== '')
      setOwn(object, Object.hasOwn(object, '$text') ? '$$text' : '$text', text);
    return object;
  }

  /** Elements of one name are the items of a list. */
  repeated(elements: readonly NestedElement[], schema: JsonValue | undefined): JsonValue {
    const isList = ((typesOf(schema, this.#walk) ?? 0) & ARRAY) !== 0;
    return elements.map((element, at) =>
      this.valueOf(element, isList ? schemaOfItem(schema, at, this.#walk) : schema),
    );
  }

  #isList({ text, children }: NestedElement, schema: JsonValue | undefined): boolean {
    if (text.trim() !== '') return false;
    const types = (typesOf(schema, this.#walk) ?? 0) & (ARRAY | OBJECT);
    if (types === ARRAY) return true;
    if (types === OBJECT) return false;
    const [first] = children;
    const name = first?.name ?? '';
    if (!children.every((child) => child.name === name)) return false;
    return types === 0 ? name === 'item' : schemaOfMember(schema, name, this.#walk) === undefined;
  }
}

function byName(elements: readonly NestedElement[]): Map<string, NestedElement[]> {
  const groups = new Map<string, NestedElement[]>();
  for (const element of elements) {
    const group = groups.get(element.name);
    if (group === undefined) groups.set(element.name, [element]);
    else group.push(element);
  }
  return groups;
}
