import type { JsonObject } from '@holdfast/core';

/** Something that programs in any language can ask for over HTTP. */
export interface Operation {
  /** Behind `/api/v1/`. */
  readonly name: string;
  /** One line that says what it is for. */
  readonly summary: string;
  /** The JSON Schema of what it takes. Bodies are held against it before it runs. */
  readonly takes: JsonObject;
  /** The JSON Schema of what it answers. */
  readonly gives: JsonObject;
  run(body: JsonObject): JsonObject;
}
