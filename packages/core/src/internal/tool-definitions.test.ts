import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import type { JsonObject } from '../types.ts';
import { toolDefinitions } from './tool-definitions.ts';
import { TOOL_SHAPES } from './tool-shapes.case.ts';

const schema = { type: 'object', properties: { path: { type: 'string' } } } as const;
const read = { name: 'read_file', description: 'Reads a file.' };
const own = { ...read, parameters: schema };

const aiSdkSchema = (jsonSchema: unknown): object => ({
  [Symbol.for('vercel.ai.schema')]: true,
  jsonSchema,
  validate: undefined,
});

const standard = (vendor: string, more: object = {}): object => ({
  '~standard': { version: 1, vendor, validate: () => ({ value: 1 }), ...more },
});

const errorOf = (tools: unknown): string => {
  try {
    toolDefinitions(tools);
  } catch (error) {
    if (error instanceof InvalidOptionError) return error.message;
    throw error;
  }
  return '';
};

describe('toolDefinitions', () => {
  it.each(TOOL_SHAPES)('reads a tool in the shape of %s', (_shape, write) => {
    expect(toolDefinitions([write(own)])).toEqual([own]);
    expect(toolDefinitions({ tools: [write(own)] })).toEqual([own]);
  });

  it('reads any mixture of shapes as the same definitions', () => {
    const shapes = fc.constantFrom(...TOOL_SHAPES.map(([, write]) => write));
    const tools = fc.uniqueArray(fc.tuple(fc.string({ minLength: 1 }), shapes), {
      selector: ([name]) => name,
    });
    fc.assert(
      fc.property(tools, (given) => {
        const named = given.map(([name]) => ({ ...own, name }));
        const written = given.map(([, write], at) => write(named[at] ?? own));
        expect(toolDefinitions(written)).toEqual(named);
      }),
    );
  });

  it('reads a record by its keys, as the AI SDK has tool sets', () => {
    const tools = {
      read_file: { description: 'Reads a file.', inputSchema: aiSdkSchema(schema) },
      older: { parameters: aiSdkSchema(schema) },
      lazy: { inputSchema: () => aiSdkSchema(schema) },
      web_search: { type: 'provider', id: 'openai.web_search', name: 'search', inputSchema: {} },
    };

    expect(toolDefinitions(tools)).toEqual([
      own,
      { name: 'older', parameters: schema },
      { name: 'lazy', parameters: schema },
      { name: 'web_search', parameters: {} },
    ]);
  });

  it('asks a Standard Schema for the JSON Schema of its input', () => {
    const targets: unknown[] = [];
    const input = (options: { readonly target: string }): JsonObject => {
      targets.push(options.target);
      return schema;
    };
    const object = standard('zod', { jsonSchema: { input } });
    // The types of ArkType are functions.
    const called = Object.assign(
      () => 'never called',
      standard('arktype', { jsonSchema: { input } }),
    );
    const tools = [
      { name: 'a', parameters: object },
      { name: 'b', inputSchema: called },
    ];

    expect(toolDefinitions(tools).map(({ parameters }) => parameters)).toEqual([schema, schema]);
    expect(targets).toEqual(['draft-2020-12', 'draft-2020-12']);
    toolDefinitions([...tools]);
    expect(targets, 'converts a schema once').toHaveLength(2);
  });

  it('keeps JSON Schema that a library made of its schema', () => {
    const parameters = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema };
    Object.defineProperty(parameters, '~standard', {
      value: { vendor: 'zod', validate: () => ({}), jsonSchema: { input: () => ({}) } },
    });

    expect(toolDefinitions([{ name: 'a', parameters }])[0]?.parameters).toBe(parameters);
  });

  it('needs no more than a name', () => {
    expect(toolDefinitions([{ name: 'now', parameters: null, description: null }])).toEqual([
      { name: 'now' },
    ]);
    expect(toolDefinitions([])).toEqual([]);
    expect(toolDefinitions({})).toEqual([]);
  });

  it('offers what a provider runs under its name, and skips what has none', () => {
    const tools = [
      { type: 'web_search' },
      { type: 'mcp', server_label: 'docs' },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
      { type: 'custom', name: 'patch', format: { type: 'text' } },
      { type: 'custom', custom: { name: 'run_code' } },
    ];

    expect(toolDefinitions(tools)).toEqual([
      { name: 'web_search' },
      { name: 'patch' },
      { name: 'run_code' },
    ]);
  });

  it('takes JSON that looks like a schema of a library for JSON', () => {
    const parameters = { '~standard': { vendor: 'zod', jsonSchema: { input: 1 } }, jsonSchema: {} };

    expect(toolDefinitions([{ name: 'a', parameters }])).toEqual([{ name: 'a', parameters }]);
  });

  it.each([
    [
      'text',
      'tools: expected a list of tool definitions, or a record from names to tools, got "text"',
    ],
    [undefined, 'tools: expected a list of tool definitions'],
    [new Map([['now', own]]), 'tools: expected a list of tool definitions, or a record'],
    [[{ name: null }], 'tools[0]: expected a tool definition with a name'],
    [['search'], 'tools[0]: expected a tool definition with a name'],
    [[own, { foo: 1, bar: 2 }], 'got an object with the keys foo, bar'],
    [[own, { foo: 1, bar: 2 }], 'tools[1]: expected a tool definition with a name ({ name } with'],
    [[{ type: 'function' }], 'tools[0]: expected a tool definition with a name'],
    [[schema], 'tools[0]: expected a tool definition with a name'],
    [[{ name: '' }], 'tools[0].name: expected a string that is not empty, got ""'],
    [[{ type: 'function', function: { name: 7 } }], 'tools[0].name: expected a string that is'],
    [[{ name: 'a', inputSchema: true }], 'tools[0] (a): expected a JSON Schema object'],
    [own, 'tools.name: expected a tool definition'],
    [{ search: schema }, 'tools.search: expected a tool with an inputSchema or parameters'],
    [{ search: standard('zod') }, 'tools.search: expected a tool with an inputSchema'],
    [{ search: own }, 'tools.search.name: expected the key of the tool, "search", got "read_file"'],
  ])('refuses %j and says where and why', (tools, message) => {
    expect(errorOf(tools)).toContain(message);
  });

  it('refuses two tools of one name, and names both places', () => {
    expect(errorOf([own, { name: 'now' }, { ...own }])).toBe(
      'tools[2].name: expected a name that no other tool has (it is that of tools[0]), got "read_file"',
    );
  });

  class OldSchema {
    parse(): void {}
  }
  const failing = standard('zod', {
    jsonSchema: {
      input: () => {
        throw new Error('Date cannot be represented in JSON Schema');
      },
    },
  });

  it.each([
    ['a Standard Schema without JSON Schema', standard('zod'), 'convert any other schema to JSON'],
    ['a schema of an older library', new OldSchema(), 'convert any other schema to JSON Schema'],
    ['a promise of a schema', aiSdkSchema(Promise.resolve(schema)), 'got a promise'],
    ['a schema that JSON cannot express', failing, 'Date cannot be represented in JSON Schema'],
  ])('refuses %s', (_what, parameters, message) => {
    const error = errorOf([own, { name: 'a', parameters }]);

    expect(error).toContain('tools[1] (a): expected ');
    expect(error).toContain(message);
  });

  it('reads the same list once', () => {
    const tools = [{ type: 'function', function: own }];

    expect(toolDefinitions(tools)).toBe(toolDefinitions(tools));
  });

  it('sees changes of a list that it has read', () => {
    const changing: { name: string; description?: string; parameters?: JsonObject }[] = [
      { name: 'a' },
    ];
    const tools = (): unknown => structuredClone(toolDefinitions(changing));
    const changes: readonly (() => unknown)[] = [
      () => changing.push({ name: 'b' }),
      () => (changing[0] = { name: 'c' }),
      () => (changing[1]!.name = 'd'),
      () => (changing[1]!.parameters = { ...schema }),
      () => (changing[0]!.description = 'New.'),
      () => changing.pop(),
    ];
    expect(tools()).toEqual(changing);
    for (const change of changes) {
      change();
      expect(tools()).toEqual(changing);
    }
  });

  it('skips what is not a tool where a client sent it', () => {
    const tools = [own, 'x', { name: '' }, { ...own }, { name: 'a', parameters: standard('zod') }];

    expect(toolDefinitions(tools, 'skip')).toEqual([own, { name: 'a' }]);
    expect(toolDefinitions('none', 'skip')).toEqual([]);
  });
});
