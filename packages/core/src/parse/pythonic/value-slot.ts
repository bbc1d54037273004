import {
  ARRAY,
  FRACTION,
  INTEGER,
  NUMBER,
  STRING,
  typeByName,
  typesOf,
} from '../../internal/schema-types.ts';
import { coerceValue, newWalk } from '../../internal/schema-values.ts';
import type { JsonObject, JsonValue } from '../../types.ts';
import { isJsonObject } from '../call-keys.ts';
import type { OfferedTools } from '../offered-tools.ts';
import { parameterSchema, parseLoosely } from '../parameter-value.ts';
import { computeNumber } from './compute-number.ts';

/** The meaning of a value that is not a literal, or the reason why it has none. */
export type WrittenValue =
  | { readonly value: JsonValue; readonly repair: 'computed-number' | 'unquoted-value' }
  | { readonly problem: string };

/** A parameter of an offered tool, or a part of one, whose schema says what a value that is no literal means. */
export class ValueSlot {
  readonly #path: string;
  readonly #schema: JsonValue | undefined;
  readonly #root: JsonObject | undefined;
  readonly #types: number | undefined;

  constructor(path: string, schema: JsonValue | undefined, root: JsonObject | undefined) {
    this.#path = path;
    this.#schema = schema;
    this.#root = root;
    this.#types = typesOf(schema, newWalk(root, 0));
  }

  static of(tools: OfferedTools, tool: string, parameter: string): ValueSlot {
    const schema = parameterSchema({ tools }, tool, parameter);
    return new ValueSlot(parameter, schema, tools.parametersOf(tool));
  }

  /** Whether it takes numbers and no text, so that arithmetic in it is computed. */
  get isNumber(): boolean {
    const types = this.#types ?? 0;
    return (types & NUMBER) !== 0 && (types & (STRING | ARRAY)) === 0;
  }

  /** Whether it takes text; it does when the schema does not say. */
  get takesText(): boolean {
    return this.#types === undefined || (this.#types & STRING) !== 0;
  }

  /** The value that a quoted text is here, where only other types are taken. */
  fromText(text: string): JsonValue {
    return coerceValue(text, this.#schema, this.#root, parseLoosely).value;
  }

  /** The slot of each item of a list. */
  get item(): ValueSlot {
    const schema = isJsonObject(this.#schema) ? this.#schema['items'] : undefined;
    return new ValueSlot(`an item of ${this.#path}`, schema, this.#root);
  }

  member(key: string): ValueSlot {
    const properties = isJsonObject(this.#schema) ? this.#schema['properties'] : undefined;
    const schema =
      isJsonObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
    return new ValueSlot(`${this.#path}.${key}`, schema, this.#root);
  }

  /** What `written`, which is no literal, means here. */
  read(written: string): WrittenValue {
    if (this.isNumber) return this.#compute(written);
    if (this.takesText && BARE_TEXT.test(written) && !ELLIPSIS.test(written))
      return { value: written, repair: 'unquoted-value' };
    return this.refuse(written);
  }

  /** Why `written` is no value. */
  refuse(written: string): { readonly problem: string } {
    const shown = JSON.stringify(written.length > 40 ? `${written.slice(0, 40)}…` : written);
    return { problem: `the value of ${this.#path} is an expression, not a literal: ${shown}` };
  }

  #compute(written: string): WrittenValue {
    const value = computeNumber(written);
    if (value === undefined) return this.refuse(written);
    const types = this.#types ?? NUMBER;
    const isInteger = (types & FRACTION) === 0 && (types & INTEGER) !== 0;
    if (isInteger && !Number.isSafeInteger(value))
      return { problem: `${this.#path} is an integer, but ${written} is ${String(value)}` };
    return { value, repair: 'computed-number' };
  }
}

/** Whether a word is the name of a type, as in the signature `city=string`. */
export function isTypeName(word: string): boolean {
  return typeByName(word) !== 0;
}

/** Words, numbers and operators, but no quotes, brackets or commas: those make it an expression. */
const BARE_TEXT = /^[\p{L}\p{N}_+.$#@/-][\p{L}\p{M}\p{N}_ ./:@+*%&°~^$#!?-]*$/u;
const ELLIPSIS = /\.\.|^[^\p{L}\p{N}]+$/u;
