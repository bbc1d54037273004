import type { JsonObject, JsonValue } from '../../../types.ts';
import { listOf } from '../../wire/json-fields.ts';
import { PART_WORDS } from './part-kind.ts';
import type { PartKind } from './part-kind.ts';

interface OpenPart {
  readonly kind: PartKind;
  readonly index: number;
  text: string;
  /** What the server says of the part besides its text. */
  fields: JsonObject;
}

/** A message, or a piece of reasoning, while it is told part by part. */
export class ItemInParts {
  readonly type: 'message' | 'reasoning';
  readonly index: number;
  readonly #id: string;
  readonly #emit: (event: JsonObject) => void;
  readonly #parts: JsonObject[] = [];
  #part: OpenPart | undefined;

  /** `item` is empty yet. */
  constructor(item: JsonObject & { id: string }, index: number, emit: (event: JsonObject) => void) {
    this.type = item['type'] === 'reasoning' ? 'reasoning' : 'message';
    this.index = index;
    this.#id = item.id;
    this.#emit = emit;
    emit({ type: 'response.output_item.added', output_index: index, item });
  }

  say(kind: PartKind, text: string): void {
    const part = this.#in(kind);
    const { delta, extra } = PART_WORDS[kind];
    part.text += text;
    this.#tell(part, delta, { delta: text, ...extra });
  }

  /** What the text that is open is taken from. */
  annotate(annotation: JsonValue): void {
    if (this.#part?.kind !== 'output_text') return;
    const annotations = [...listOf(this.#part.fields['annotations']), annotation];
    this.#part.fields = { ...this.#part.fields, annotations };
    const type = 'response.output_text.annotation.added';
    this.#tell(this.#part, type, { annotation_index: annotations.length - 1, annotation });
  }

  /** Ends the part that is open. `said` is what the server says of it; it holds where the text is the same. */
  endPart(said: JsonObject = {}): void {
    const part = this.#part;
    if (part === undefined) return;
    this.#part = undefined;
    const words = PART_WORDS[part.kind];
    const text = { [words.field]: part.text };
    const isSame = said[words.field] === part.text;
    const whole = { ...words.empty, ...part.fields, ...(isSame ? said : {}), ...text };
    this.#tell(part, words.said, { ...text, ...words.extra });
    this.#parts.push(whole);
    this.#tell(part, words.done, { part: whole });
  }

  /** Ends the item, and returns it. `fields` is what the server says of it besides its parts. */
  end(fields: JsonObject): JsonObject {
    this.endPart();
    const list = this.type === 'message' ? 'content' : 'summary';
    const item = { ...fields, id: this.#id, type: this.type, [list]: this.#parts };
    this.#emit({ type: 'response.output_item.done', output_index: this.index, item });
    return item;
  }

  #in(kind: PartKind): OpenPart {
    if (this.#part?.kind === kind) return this.#part;
    this.endPart();
    const { added, empty } = PART_WORDS[kind];
    this.#part = { kind, index: this.#parts.length, text: '', fields: {} };
    this.#tell(this.#part, added, { part: empty });
    return this.#part;
  }

  #tell({ kind, index }: OpenPart, type: string, fields: JsonObject): void {
    const place = { item_id: this.#id, output_index: this.index };
    this.#emit({ type, ...place, [PART_WORDS[kind].indexField]: index, ...fields });
  }
}
