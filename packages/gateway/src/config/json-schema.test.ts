import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CONFIG_TEMPLATE } from './config-template.ts';
import { configJsonSchema } from './json-schema.ts';

const isValid = new Ajv2020().compile(configJsonSchema());

describe('the JSON Schema of holdfast.yaml', () => {
  test('takes what holdfast init writes, with and without its comment signs', () => {
    const uncommented = CONFIG_TEMPLATE.replace(/^( *)# /gm, '$1');
    expect(isValid(parse(uncommented)), JSON.stringify(isValid.errors)).toBe(true);
    expect(isValid({ upstreams: [{ url: 'http://127.0.0.1:1234/v1' }] })).toBe(true);
    expect(isValid({ mcp: { files: ['.mcp.json'] } })).toBe(true);
  });

  test('takes variables that are not filled in yet', () => {
    const file = {
      listen: { port: '${PORT}' },
      upstreams: [
        {
          name: '${NAME}',
          url: '${URL}',
          protocols: ['${P:-chat}'],
          circuit: { failureRatio: '${RATIO}' },
        },
      ],
      proxy: { eager: '${EAGER:-false}', onInvalid: '${INVALID}', retry: { maxAttempts: '${N}' } },
      log: { level: '${LEVEL}' },
    };
    expect(isValid(file), JSON.stringify(isValid.errors)).toBe(true);
  });

  test('explains every key', () => {
    const unexplained = keysWithoutDescription(configJsonSchema(), '');
    expect(unexplained).toEqual([]);
  });

  test.each([
    [{}],
    [{ upstreams: [{}] }],
    [{ mcp: { prefix: 'some' } }],
    [{ mcp: { servers: { a: { command: 1 } } } }],
    [{ upstreams: [{ url: 'http://a/v1', nam: 'x' }] }],
    [{ upstreams: [{ url: 'http://a/v1' }], log: { level: 'loud' } }],
    [{ upstreams: [{ url: 'http://a/v1' }], listen: { port: 'http' } }],
    [{ upstreams: [{ url: 'http://a/v1', toolMode: 'promt' }] }],
    [{ upstreams: [{ url: 'http://a/v1', toolFormat: 'qwne' }] }],
    [{ upstreams: [{ url: 'http://a/v1', circuit: { failureRatio: 2 } }] }],
    [{ upstreams: [{ url: 'http://a/v1' }], proxy: { retry: { maxAttempts: 0 } } }],
  ])('refuses %j', (file) => {
    expect(isValid(file)).toBe(false);
  });
});

function keysWithoutDescription(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, items, anyOf = [] } = schema as Schema;
  return [
    ...Object.entries(properties).flatMap(([key, inner]) => [
      ...('description' in inner ? [] : [`${path}.${key}`]),
      ...keysWithoutDescription(inner, `${path}.${key}`),
    ]),
    ...keysWithoutDescription(items, `${path}[]`),
    ...anyOf.flatMap((inner) => keysWithoutDescription(inner, path)),
  ];
}

interface Schema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly items?: unknown;
  readonly anyOf?: readonly unknown[];
}
