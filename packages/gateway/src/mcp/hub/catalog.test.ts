import type { JsonObject } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { memoryLogger } from '../../log/memory-logger.case.ts';
import type { MemoryLogger } from '../../log/memory-logger.case.ts';
import type { McpConfig, McpServerConfig } from '../mcp-config.ts';
import { MCP_DEFAULTS } from '../mcp-defaults.ts';
import { upstreamToScripted } from '../upstream/scripted-server.case.ts';
import type { UpstreamToScripted } from '../upstream/scripted-server.case.ts';
import { ToolPins } from '../naming/tool-pins.ts';
import { Catalog } from './catalog.ts';
import { ServerLists } from './server-lists.ts';

const ALL = { tools: {}, prompts: {}, resources: {} };

interface Listed {
  readonly tools?: readonly string[];
  readonly prompts?: readonly string[];
  readonly uris?: readonly string[];
  readonly templates?: readonly string[];
  readonly config?: Partial<McpServerConfig>;
}

function begin(
  listed: Readonly<Record<string, Listed>>,
  settings: Partial<McpConfig> = {},
): {
  readonly catalog: Catalog;
  readonly log: MemoryLogger;
  readonly upstreams: readonly UpstreamToScripted[];
  readonly pins: ToolPins;
} {
  const log = memoryLogger();
  const upstreams = Object.entries(listed).map(([name, what]) => {
    const upstream = upstreamToScripted({ config: { ...what.config, name } });
    const { script } = upstream;
    script.capabilities = ALL;
    const named = (names: readonly string[] = []): JsonObject[] =>
      names.map((each) => ({ name: each, description: `${name}'s`, inputSchema: {} }));
    script.answers.set('tools/list', () => ({ tools: named(what.tools) }));
    script.answers.set('prompts/list', () => ({ prompts: named(what.prompts) }));
    script.answers.set('resources/list', () => ({
      resources: (what.uris ?? []).map((uri) => ({ uri, name: `${name}'s` })),
    }));
    script.answers.set('resources/templates/list', () => ({
      resourceTemplates: (what.templates ?? []).map((uriTemplate) => ({ uriTemplate })),
    }));
    return upstream;
  });
  const servers = upstreams.map(({ server }) => server);
  const config: McpConfig = {
    ...MCP_DEFAULTS.settings,
    servers: servers.map((server) => server.config),
    ...settings,
  };
  const lists = new Map(
    upstreams.map(({ server, clock }) => [
      server.name,
      new ServerLists({ server, timeoutMs: 1000, clock, log }),
    ]),
  );
  const pins = new ToolPins();
  return { catalog: new Catalog({ config, servers, lists, pins, log }), log, upstreams, pins };
}

async function toolNames(catalog: Catalog): Promise<readonly unknown[]> {
  const { tools } = await catalog.list('tools');
  return (tools as readonly JsonObject[]).map(({ name }) => name);
}

describe('the tools of all servers', () => {
  test.each([
    ['auto', { a: { tools: ['x'] } }, ['x']],
    ['always', { a: { tools: ['x'] } }, ['a__x']],
    ['auto', { a: { tools: ['x'] }, b: { tools: ['x', 'y'] } }, ['a__x', 'b__x', 'b__y']],
    ['never', { a: { tools: ['x'] }, b: { tools: ['y'] } }, ['x', 'y']],
  ] as const)('are named apart (%s, %j)', async (prefix, listed, names) => {
    const { catalog } = begin(listed, { prefix });
    expect(await toolNames(catalog)).toEqual(names);
  });

  test('are those that may be shown, and others are not found', async () => {
    const config = { allow: ['get_*'], deny: ['*_secret'] };
    const tools = ['get_it', 'get_secret', 'drop'];
    const { catalog } = begin({ a: { tools, config } });
    expect(await toolNames(catalog)).toEqual(['get_it']);
    expect(await catalog.tool('drop')).toBeUndefined();
    expect(catalog.isHidden('get_secret')).toBe(true);
    expect(catalog.unknownTool('get_its')).toContain('get_it');
  });

  test('are found by the names that clients know, without asking servers again', async () => {
    const { catalog, upstreams } = begin({ a: { tools: ['x'] }, b: { tools: ['x'] } });
    const found = await catalog.tool('b__x');
    expect([found?.server.name, found?.tool.name]).toEqual(['b', 'x']);
    expect(await catalog.tool('b__x')).toEqual(found);
    expect(upstreams.map(({ script }) => script.count('tools/list'))).toEqual([1, 1]);
  });

  const redefined = { name: 'x', description: 'Something else', inputSchema: {} };

  test('are held back once they are redefined, until that is approved', async () => {
    const { catalog, log, upstreams, pins } = begin({ a: { tools: ['x', 'y', 'x'] } });
    expect(await toolNames(catalog)).toEqual(['x', 'y']);
    upstreams[0]?.script.answers.set('tools/list', () => ({ tools: [redefined] }));

    expect(await toolNames(catalog)).toEqual([]);
    expect(await catalog.tool('x')).toMatchObject({ isQuarantined: true });
    expect(catalog.offered).toEqual([
      { name: 'x', server: 'a', tool: 'x', description: '', quarantined: true },
    ]);
    expect(catalog.shownTools).toEqual([]);
    const told = log.entries.filter(({ message }) => message.startsWith('a tool was redefined'));
    expect(told.map(({ fields }) => fields['tool'])).toEqual(['x']);

    expect(pins.approve('a', 'x')).toEqual(['x']);
    catalog.forgetTools();
    expect(await toolNames(catalog)).toEqual(['x']);
    expect(await catalog.tool('x')).toMatchObject({ isQuarantined: false });
  });

  test('that are redefined are only logged where that is wanted', async () => {
    const { catalog, log, upstreams } = begin(
      { a: { tools: ['x', 'x'] } },
      { redefinedTools: 'log' },
    );
    await toolNames(catalog);
    upstreams[0]?.script.answers.set('tools/list', () => ({ tools: [redefined] }));
    expect(await toolNames(catalog)).toEqual(['x']);
    const told = log.entries.filter(({ message }) => message === 'a tool was redefined');
    expect(told.map(({ fields }) => fields['tool'])).toEqual(['x']);
  });

  test('that are all odd fill no log', async () => {
    const odd = Array.from({ length: 5000 }, (_, at) => `t${at}\u200b`);
    const { catalog, log } = begin({ a: { tools: odd } });
    await toolNames(catalog);
    expect(log.entries.length).toBeLessThan(100);
    expect(log.entries.at(-1)?.message).toBe('more is odd about its tools');
  });
});

describe('prompts and resources of all servers', () => {
  test('are asked of the server that has them', async () => {
    const { catalog } = begin({
      a: { prompts: ['greet'], uris: ['note://1'], templates: ['{+any}'] },
      b: { prompts: ['greet'], uris: ['note://1', 'page://1'], templates: ['page://{n}'] },
    });
    expect((await catalog.prompt('b__greet')).server.name).toBe('b');
    expect((await catalog.prompt('b__greet')).name).toBe('greet');
    await expect(catalog.prompt('greet')).rejects.toThrow('Unknown prompt: greet');
    expect((await catalog.resource('note://1')).name).toBe('a');
    expect((await catalog.resource('page://1')).name).toBe('b');
    expect((await catalog.resource('page://{n}')).name).toBe('a');
    const { resources } = await catalog.list('resources');
    expect(resources).toHaveLength(2);
  });

  test('are found by template, or not at all', async () => {
    const { catalog } = begin({ a: {}, b: { templates: ['page://{n}'] } });
    expect((await catalog.resource('page://7')).name).toBe('b');
    await expect(catalog.resource('other://7')).rejects.toThrow('Unknown resource: other://7');
  });

  test('that are known are found at once although another server does not answer', async () => {
    const { catalog, upstreams } = begin({
      a: { prompts: ['greet'], uris: ['note://1'] },
      b: {},
    });
    await Promise.all([catalog.list('prompts'), catalog.list('resources')]);
    const slow = upstreams[1]!.script;
    for (const method of ['prompts/list', 'resources/list', 'resources/templates/list']) {
      slow.answers.set(method, () => undefined);
    }
    expect((await catalog.prompt('a__greet')).server.name).toBe('a');
    expect((await catalog.resource('note://1')).name).toBe('a');
  });

  test('are the business of the only server, listed or not', async () => {
    const { catalog } = begin({ a: {} });
    expect((await catalog.prompt('any')).name).toBe('any');
    expect((await catalog.resource('any://1')).name).toBe('a');
  });
});
