import type { JsonObject, JsonValue } from '@holdfast/core';
import { addressIn, numberIn, pathIn, topicOf, wordsOf } from './message-words.ts';

/** Schemas may refer to themselves. */
const MAX_DEPTH = 6;

/** Arguments that fit a JSON Schema, made of the words of a message. */
export function makeArguments(schema: JsonObject | undefined, message: string): JsonObject {
  if (schema === undefined) return {};
  const value = new ValueMaker(schema, message).make(schema, '', 0);
  return isObject(value) ? value : {};
}

class ValueMaker {
  readonly #root: JsonObject;
  readonly #message: string;

  constructor(root: JsonObject, message: string) {
    this.#root = root;
    this.#message = message;
  }

  make(given: JsonValue | undefined, name: string, depth: number): JsonValue {
    const schema = this.#resolve(given);
    const said = this.#saidBySchema(schema);
    if (said !== undefined) return said;
    switch (kindOf(schema)) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return depth < MAX_DEPTH ? this.#array(schema, name, depth) : [];
      case 'integer':
        return Math.round(this.#number(schema));
      case 'number':
        return this.#number(schema);
      case 'boolean':
        return false;
      case 'null':
        return null;
      default:
        return this.#text(schema, name);
    }
  }

  /** What stands behind references and alternatives. */
  #resolve(given: JsonValue | undefined): JsonObject {
    let schema = isObject(given) ? given : {};
    for (let step = 0; step < MAX_DEPTH; step++) {
      const { $ref: ref, anyOf, oneOf, allOf } = schema;
      const [first] = [anyOf, oneOf].filter(isList);
      if (typeof ref === 'string') schema = this.#at(ref);
      else if (first !== undefined) {
        // Null is allowed, but says nothing.
        const chosen = first.find((each) => isObject(each) && each['type'] !== 'null') ?? first[0];
        schema = isObject(chosen) ? chosen : {};
      } else if (isList(allOf)) schema = merged([without(schema, 'allOf'), ...allOf]);
      else break;
    }
    return schema;
  }

  #at(ref: string): JsonObject {
    let found: JsonValue | undefined = this.#root;
    for (const step of ref.split('/').slice(1)) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    }
    return isObject(found) ? found : {};
  }

  #saidBySchema(schema: JsonObject): JsonValue | undefined {
    const { const: constant, enum: choices, examples, default: usual } = schema;
    if (constant !== undefined) return constant;
    if (isList(choices) && choices.length > 0) {
      const words = wordsOf(this.#message);
      const named = choices.find(
        (choice) => typeof choice === 'string' && words.includes(choice.toLowerCase()),
      );
      return named ?? choices[0];
    }
    return isList(examples) && examples[0] !== undefined ? examples[0] : usual;
  }

  /** What is required; without that, what comes first. */
  #object(schema: JsonObject, depth: number): JsonObject {
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const required = isList(schema['required']) ? schema['required'].map(String) : [];
    const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
    if (depth > MAX_DEPTH) return {};
    return Object.fromEntries(
      names.map((name) => [name, this.make(properties[name], name, depth + 1)]),
    );
  }

  #array(schema: JsonObject, name: string, depth: number): readonly JsonValue[] {
    const length = Math.max(1, Number(schema['minItems'] ?? 1));
    const item = this.make(schema['items'], name, depth + 1);
    return Array.from({ length: Math.min(length, 8) }, () => item);
  }

  #number({ minimum, maximum, exclusiveMinimum, multipleOf }: JsonObject): number {
    const low = Number(
      minimum ?? (exclusiveMinimum === undefined ? -Infinity : Number(exclusiveMinimum) + 1),
    );
    const high = Number(maximum ?? Infinity);
    const value = Math.min(Math.max(numberIn(this.#message) ?? 1, low), high);
    return typeof multipleOf === 'number' ? Math.ceil(value / multipleOf) * multipleOf : value;
  }

  #text({ format, minLength, maxLength }: JsonObject, name: string): string {
    const text = this.#textFor(name, typeof format === 'string' ? format : '');
    const least = typeof minLength === 'number' ? minLength : 0;
    const most = typeof maxLength === 'number' ? maxLength : 200;
    return text.padEnd(Math.min(least, 200), '.').slice(0, Math.max(most, 0));
  }

  #textFor(name: string, format: string): string {
    const words = wordsOf(name);
    const is = (...kinds: readonly string[]): boolean => kinds.some((kind) => words.includes(kind));
    if (format === 'date') return '2026-01-31';
    if (format === 'date-time') return '2026-01-31T12:00:00Z';
    if (format === 'email' || is('email')) return 'ada@example.com';
    if (format.startsWith('uri') || is('url', 'uri')) {
      return addressIn(this.#message) ?? 'https://example.com/';
    }
    // A demo must not run what somebody wrote in a chat.
    if (is('command', 'cmd', 'script', 'code')) return 'echo hello from the demo model';
    if (is('path', 'file', 'filename', 'filepath')) return pathIn(this.#message) ?? 'demo.txt';
    return topicOf(this.#message) || 'demo';
  }
}

function kindOf({ type, properties, items }: JsonObject): string {
  const first = isList(type) ? (type.find((each) => each !== 'null') ?? 'null') : type;
  if (typeof first === 'string') return first;
  if (properties !== undefined) return 'object';
  return items === undefined ? 'string' : 'array';
}

function merged(parts: readonly JsonValue[]): JsonObject {
  const objects = parts.filter(isObject);
  const properties = objects
    .map((part) => part['properties'])
    .filter((each) => isObject(each ?? null));
  const required = objects.flatMap((part) => (isList(part['required']) ? part['required'] : []));
  return Object.assign({}, ...objects, {
    properties: Object.assign({}, ...properties) as JsonObject,
    required,
  }) as JsonObject;
}

function without(schema: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
