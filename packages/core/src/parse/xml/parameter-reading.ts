import { newWalk } from '../../internal/schema-values.ts';
import { readLiteral } from '../../internal/schema-text.ts';
import { STRING, typesOf } from '../../internal/schema-types.ts';
import type { JsonValue } from '../../types.ts';
import type { ReadContext } from '../format.ts';
import { parseJson } from '../json/parse-json.ts';
import { isStringParameter, parameterSchema, parameterValue } from '../parameter-value.ts';
import { mayBeLiteral } from './may-be-literal.ts';

/** How the text of a parameter becomes a value. */
export interface ParameterReading {
  /** Whether a text that begins so is a string whatever follows, and can be told as it arrives. */
  isString(text: string): boolean;
  /** The value of a text that is not known to be a string. */
  read(text: string): JsonValue;
}

const AS_WRITTEN: ParameterReading = { isString: () => true, read: (text) => text };

/** By the tool's schema; without one, a literal of JSON or Python is what it says. */
export function readingByType(context: ReadContext, tool: string, key: string): ParameterReading {
  if (isStringParameter(context, tool, key)) return AS_WRITTEN;
  const isUntyped = parameterSchema(context, tool, key) === undefined;
  return {
    isString: (text) => isUntyped && !mayBeLiteral(text),
    read: (text) => parameterValue(context, tool, key, text, 'literal'),
  };
}

/** A text that the model calls a string: it is one unless the schema allows none. */
export function readingOfString(context: ReadContext, tool: string, key: string): ParameterReading {
  const types = allowedTypes(context, tool, key);
  if (types === undefined || (types & STRING) !== 0) return AS_WRITTEN;
  return {
    isString: () => false,
    read: (text) => parameterValue(context, tool, key, text, 'text'),
  };
}

/** A text that the model calls JSON: it is, broken as it may be, unless the schema wants a string. */
export function readingOfJson(context: ReadContext, tool: string, key: string): ParameterReading {
  if (allowedTypes(context, tool, key) !== undefined) return readingByType(context, tool, key);
  return { isString: () => false, read: readJson };
}

function allowedTypes(context: ReadContext, tool: string, key: string): number | undefined {
  const schema = parameterSchema(context, tool, key);
  return typesOf(schema, newWalk(context.tools?.parametersOf(tool), 0));
}

function readJson(text: string): JsonValue {
  const literal = readLiteral(text);
  if (literal !== text) return literal;
  const trimmed = text.trim();
  if (!/^[[{"]/.test(trimmed)) return text;
  const read = parseJson(trimmed);
  if (!read.ok || !read.complete || read.lossy) return text;
  // What is only JSON in part is a text.
  return read.repairs.includes('surrounding-text') ? text : read.value;
}
