import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject, JsonValue } from '@holdfast/core';
import { checkToolCall } from '@holdfast/core/check';
import { systemClock } from '@holdfast/core/guard';
import { describe, expect, onTestFinished, test } from 'vitest';
import { memoryLogger } from '../log/memory-logger.case.ts';
import { isObject, listOf, objectOf, textOf } from '../proxy/json/json-fields.ts';
import { classifyOperation } from './classify-operation.ts';
import { createDefaultPlugins } from './default-plugins.ts';
import { createHookOperations } from './hooks/create-hook-operations.ts';
import { openApi } from './open-api.ts';
import type { Operation } from './operation.ts';
import { createParseOperation } from './parse-operation.ts';
import { NO_PLUGINS, runningSidecar } from './running-sidecar.case.ts';

const hooks = createHookOperations({
  plugins: () => NO_PLUGINS,
  clock: systemClock,
  log: memoryLogger(),
});
const operations: readonly Operation[] = [
  createParseOperation(),
  classifyOperation,
  ...hooks.operations,
];
const written = openApi(operations, '1.2.3');
const named = operations.map((operation) => ({
  name: operation.name,
  operation,
  described: objectOf(at(written, ['paths', `/api/v1/${operation.name}`, 'post'])),
}));

function at(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((inner, key) => objectOf(inner)[key], value);
}

/** What a `$ref` of the document stands for. */
function resolved(value: JsonValue | undefined): JsonObject {
  const path = textOf(objectOf(value)['$ref']).split('/').slice(1);
  return objectOf(path.length === 0 ? value : at(written, path));
}

function refsIn(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return listOf(value).flatMap(refsIn);
  if (!isObject(value)) return [];
  const { $ref } = value;
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(value).flatMap(refsIn)];
}

const CONTENT = ['content', 'application/json'];

test('the gateway gives the document of all that it serves', async () => {
  const { url } = await runningSidecar();
  const served = (await (await fetch(`${url}/openapi.json`)).json()) as JsonObject;
  expect(served).toEqual(written);
  expect([served['openapi'], at(served, ['info', 'version'])]).toEqual(['3.1.0', '1.2.3']);
  expect(Object.keys(objectOf(served['paths']))).toEqual([
    '/api/v1/parse',
    '/api/v1/classify',
    '/api/v1/hooks/tool_pre_invoke',
    '/api/v1/hooks/tool_post_invoke',
    '/api/v1/hooks/tool_execute_before',
    '/api/v1/hooks/tool_execute_after',
  ]);
});

test('every reference in it leads somewhere', () => {
  const refs = refsIn(written);
  expect(refs.length).toBeGreaterThan(20);
  for (const $ref of refs) expect(resolved({ $ref }), $ref).toHaveProperty('type');
});

test('operations have names of their own', () => {
  const ids = named.map(({ described }) => described['operationId']);
  expect(new Set(ids).size).toBe(operations.length);
});

describe.each(named)('$name', ({ operation, described }) => {
  const { takes, gives, example } = operation;

  test('is described with its answers', () => {
    const responses = objectOf(described['responses']);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400', 'default']));
    for (const response of Object.values(responses)) {
      expect(at(response, ['description'])).toEqual(expect.stringMatching(/\S/));
      expect(at(response, [...CONTENT, 'schema'])).toBeDefined();
    }
    const mayRefuse = /tool_(?:pre|post)_invoke/.test(operation.name);
    expect(Object.hasOwn(responses, '503')).toBe(mayRefuse);
    if (!mayRefuse) return;
    expect(at(responses['503'], ['headers', 'Retry-After', 'schema'])).toBeDefined();
    const refusal = objectOf(at(responses['503'], [...CONTENT, 'example']));
    expect(new Ajv2020({ strict: true }).validate(gives, refusal)).toBe(true);
  });

  test('is described with the very schemas that bodies are held against', () => {
    const request = at(described['requestBody'], [...CONTENT, 'schema']);
    const answer = at(described['responses'], ['200', ...CONTENT, 'schema']);
    expect([resolved(request), resolved(answer)]).toEqual([takes, gives]);
    // Strict: no keyword that does not exist, no type that does not fit its keywords.
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    expect([ajv.validate(takes, example.takes), ajv.validate(takes, {})]).toEqual([true, false]);
    expect([ajv.validate(gives, example.gives), ajv.validate(gives, {})]).toEqual([true, false]);
  });

  test('has an example that fits', () => {
    for (const [schema, value, place] of [
      [takes, example.takes, at(described['requestBody'], CONTENT)],
      [gives, example.gives, at(described['responses'], ['200', ...CONTENT])],
    ] as const) {
      const call = { name: 'example', arguments: value };
      const checked = checkToolCall(call, [{ name: 'example', parameters: schema }], {
        fix: false,
      });
      expect(checked).toMatchObject({ ok: true });
      expect(at(place, ['example'])).toEqual(value);
    }
  });
});

test('the examples are what a gateway without plugins of its own answers, one after the other', async () => {
  const plugins = createDefaultPlugins({ log: memoryLogger(), clock: systemClock });
  onTestFinished(plugins.close);
  const { ask } = await runningSidecar({ plugins: await plugins.host() });
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  for (const { name, gives, example } of operations) {
    const { status, json } = await ask(name, example.takes);
    expect(status, name).toBe(200);
    expect(ajv.validate(gives, json), name).toBe(true);
    expect(withoutIds(json), name).toEqual(withoutIds(example.gives));
  }
});

/** A call without an id gets a new one every time. */
function withoutIds(value: JsonObject): string {
  return JSON.stringify(value).replaceAll(/"call_\w{24}"/g, '"call_"');
}
