import { ToolRenderError } from '../../../errors.ts';
import { keptDigits } from '../../../internal/exact-json.ts';
import { isList } from '../../../internal/schema-walk.ts';
import type { JsonObject, JsonValue, ToolDefinition } from '../../../types.ts';
import { isJsonObject } from '../../call-keys.ts';
import { checkSpelling } from '../check-spelling.ts';
import { jsonText } from '../json-text.ts';
import { disarmed } from '../plain-text.ts';
import type { RenderableCall, RenderDialect, ToolResult } from '../render-dialect.ts';
import { signatureOf } from '../tool-list.ts';

/** The quote of the dialect. It has no escape. */
const QUOTE = '<|"|>';
const NAME = /^[A-Za-z_][\w.-]*$/;
const BARE_KEY = /^[A-Za-z_]\w*$/;

/** `<|tool_call>call:NAME{key:<|"|>value<|"|>}<tool_call|>`, of Gemma 4. */
export const gemma4: RenderDialect = {
  format: 'gemma4',
  writeCalls: (calls) => calls.map(invocation).join(''),
  writeResult: (result) =>
    `<|tool_response>response:${result.name}${written(answer(result))}<tool_response|>`,
  writePrompt: (tools, example) =>
    `${tools.map(declaration).join('')}

You can call the tools declared above. A call begins with <|tool_call> and ends with <tool_call|>; strings stand between ${QUOTE} and ${QUOTE}, all other values as they are, such as:
${invocation(example)}

To call several tools at once, write one call directly after another. Then stop: the results come back between <|tool_response> and <tool_response|>. If no tool is needed, answer without <|tool_call>.`,
};

function invocation({ name, arguments: args }: RenderableCall): string {
  checkSpelling('gemma4', name, NAME);
  return `<|tool_call>call:${name}${written(args)}<tool_call|>`;
}

function written(value: JsonValue): string {
  if (typeof value === 'string') return quoted(value);
  if (isList(value))
    return `[${value.map((item, at) => keptDigits(value, String(at)) ?? written(item)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => {
    const text = keptDigits(value, key) ?? written(member);
    if (BARE_KEY.test(key)) return `${key}:${text}`;
    if (key.includes(QUOTE)) {
      throw new ToolRenderError(`gemma4 cannot write the key ${key}: ${QUOTE} has no escape there`);
    }
    return `${QUOTE}${key}${QUOTE}:${text}`;
  });
  return `{${members.join(',')}}`;
}

/** A text that holds the quote, or the end of a call, is written as in JSON, which the parser reads as well. */
function quoted(text: string): string {
  const isPlain = !text.includes(QUOTE) && !text.includes('<tool_call|>');
  return isPlain ? `${QUOTE}${text}${QUOTE}` : jsonText(text, ['<']);
}

function answer({ content, isError = false }: ToolResult): JsonValue {
  const safe = withoutMarkers(content);
  if (isError) return { error: safe };
  return isJsonObject(safe) ? safe : { value: safe };
}

const MARKERS = [QUOTE, '<tool_response|>', '<tool|>'];

/** Answers and descriptions come from outside, and are not read back: in them a marker is broken up. */
function withoutMarkers(value: JsonValue): JsonValue {
  if (typeof value === 'string') return disarmed(value, MARKERS);
  if (isList(value)) return value.map(withoutMarkers);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(
    ([key, member]) => [disarmed(key, MARKERS), withoutMarkers(member)] as const,
  );
  return Object.fromEntries(members);
}

function declaration(tool: ToolDefinition): string {
  checkSpelling('gemma4', tool.name, NAME);
  const { description, parameters } = signatureOf(tool);
  const about = {
    ...(description === undefined ? {} : { description }),
    parameters: withUpperCaseTypes(parameters ?? {}),
  };
  return `<|tool>declaration:${tool.name}${written(withoutMarkers(about))}<tool|>`;
}

/** A JSON Schema with its types spelt the way Gemma's template does: `STRING`. */
function withUpperCaseTypes(schema: JsonValue): JsonValue {
  if (isList(schema)) return schema.map(withUpperCaseTypes);
  if (!isJsonObject(schema)) return schema;
  const members = Object.entries(schema).map(([keyword, value]) => {
    return [keyword, keywordValue(keyword, value)] as const;
  });
  return Object.fromEntries(members);
}

const WITH_SCHEMAS: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'additionalProperties',
  'anyOf',
  'oneOf',
  'allOf',
]);
const WITH_NAMED_SCHEMAS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);

function keywordValue(keyword: string, value: JsonValue): JsonValue {
  if (keyword === 'type') {
    const types = isList(value) ? value : [value];
    const spelt = types.map((type) => (typeof type === 'string' ? type.toUpperCase() : type));
    return isList(value) ? spelt : (spelt[0] ?? value);
  }
  if (WITH_SCHEMAS.has(keyword)) return withUpperCaseTypes(value);
  if (!WITH_NAMED_SCHEMAS.has(keyword) || !isJsonObject(value)) return value;
  const members: JsonObject = Object.fromEntries(
    Object.entries(value).map(([name, schema]) => [name, withUpperCaseTypes(schema)] as const),
  );
  return members;
}
