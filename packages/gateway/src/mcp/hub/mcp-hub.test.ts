import type { JsonObject } from '@holdfast/core';
import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import { memoryLogger } from '../../log/memory-logger.case.ts';
import type { MemoryLogger } from '../../log/memory-logger.case.ts';
import { ToolCaller } from '../call/tool-caller.ts';
import type { ClientView, Exchange, Message } from '../exchange.ts';
import type { McpConfig, McpServerConfig } from '../mcp-config.ts';
import { MCP_DEFAULTS } from '../mcp-defaults.ts';
import { NO_PLUGINS } from '../../plugins/no-plugins.ts';
import { serverConfig } from '../server-config.case.ts';
import { ScriptedServer } from '../upstream/scripted-server.case.ts';
import type { ClientSession } from './client-session.ts';
import { McpHub } from './mcp-hub.ts';

interface Scene {
  readonly hub: McpHub;
  readonly clock: ManualClock;
  readonly log: MemoryLogger;
  /** The scripts of the servers, in the order in which they were begun. */
  readonly scripts: ScriptedServer[];
}

function begin(
  servers: Readonly<Record<string, Partial<McpServerConfig>>> = { one: {} },
  settings: Partial<McpConfig> = {},
  prepare: (script: ScriptedServer, name: string) => void = () => undefined,
): Scene {
  const [clock, log] = [new ManualClock(), memoryLogger()];
  const config: McpConfig = {
    ...MCP_DEFAULTS.settings,
    servers: Object.entries(servers).map(([name, more]) => serverConfig(name, more)),
    ...settings,
  };
  const scripts: ScriptedServer[] = [];
  const hub = new McpHub({
    config,
    identity: {
      info: { name: 'test', version: '1' },
      capabilities: { roots: { listChanged: true } },
    },
    prefer: 'legacy',
    caller: new ToolCaller({ config, plugins: NO_PLUGINS, clock, log }),
    createTransport: ({ name }) => {
      const script = new ScriptedServer();
      prepare(script, name);
      scripts.push(script);
      return script.createTransport();
    },
    clock,
    nextId: () => 'id',
    log,
  });
  return { hub, clock, log, scripts };
}

class TestSession implements ClientSession {
  readonly told: Message[] = [];
  readonly asked: Message[] = [];
  readonly client: ClientView;

  constructor(key: string, more: Partial<ClientView> = {}) {
    const about = { capabilities: {}, info: undefined, logLevel: 'debug' };
    this.client = { key, era: 'legacy', ...about, ...more };
  }

  listensTo(): boolean {
    return false;
  }

  notify(notification: Message): void {
    this.told.push(notification);
  }

  async ask(request: Message): Promise<JsonObject> {
    this.asked.push(request);
    return { roots: [{ uri: `file:///${this.client.key}` }] };
  }

  exchange(): Exchange {
    const { client } = this;
    const { signal } = new AbortController();
    return {
      client,
      signal,
      notify: (notification) => this.notify(notification),
      ask: (request) => this.ask(request),
    };
  }
}

const levels = ({ heard }: ScriptedServer): unknown =>
  heard
    .filter(({ method }) => method === 'logging/setLevel')
    .map(({ params }) => params?.['level']);

const logs = ({ told }: TestSession): readonly Message[] =>
  told.filter(({ method }) => method === 'notifications/message');

const chatty = (script: ScriptedServer): void => {
  script.capabilities = { logging: {}, tools: {} };
};

describe('the hub', () => {
  test('waits for servers as long as for a list, and only once', async () => {
    const { hub, clock } = begin({ one: {}, dead: {} }, { listTimeoutMs: 1000 }, (script, name) => {
      if (name === 'dead') script.mood = 'silent';
    });
    let isReady = false;
    const ready = hub.ready().then(() => (isReady = true));
    await clock.advance(999);
    expect(isReady).toBe(false);
    await clock.advance(1);
    await ready;
    await hub.ready();
    expect(hub.status).toMatchObject({
      one: { state: 'connected' },
      dead: { state: 'connecting' },
    });
    await hub.close();
  });

  test('asks servers for what the most curious client wants, and again when they come back', async () => {
    const { hub, clock, scripts } = begin({ one: {} }, {}, chatty);
    await hub.ready();
    const [calm, curious] = [
      new TestSession('calm', { logLevel: 'error' }),
      new TestSession('curious', { logLevel: 'info' }),
    ];
    hub.attach(calm);
    const leave = hub.attach(curious);
    await hub.setLogLevel(calm, 'error');
    await hub.setLogLevel(curious, 'warning');
    expect(levels(scripts[0]!)).toEqual(['info', 'warning']);
    leave();
    await scripts[0]!.end();
    await clock.advance(500);
    await expect.poll(() => scripts.map(levels).at(1)).toEqual(['error']);
    await hub.close();
  });

  test('keeps messages for clients that said nothing of levels', async () => {
    const { hub, scripts } = begin({ one: {} }, {}, chatty);
    await hub.ready();
    const [calm, other] = [new TestSession('calm'), new TestSession('other')];
    hub.attach(calm);
    hub.attach(other);
    await hub.setLogLevel(calm, 'error');
    expect(levels(scripts[0]!)).toEqual(['debug']);
    await hub.close();
  });

  test('refuses levels that do not exist', async () => {
    const { hub } = begin();
    const session = new TestSession('a');
    await expect(hub.setLogLevel(session, 'loud')).rejects.toThrow('Unknown log level: loud');
  });

  test('lets servers ask for roots again once somebody is there', async () => {
    const { hub, scripts } = begin();
    await hub.ready();
    hub.attach(new TestSession('a', { capabilities: { roots: {} } }));
    await expect.poll(() => scripts[0]!.count('notifications/roots/list_changed')).toBe(1);
    hub.attach(new TestSession('b'));
    expect(scripts[0]!.count('notifications/roots/list_changed')).toBe(1);
    await hub.close();
  });

  test('lets a server that belongs to a client speak to no other', async () => {
    const tools = { tools: [{ name: 'go', inputSchema: { type: 'object' } }] };
    const { hub, scripts } = begin({ one: { instances: 'per-client' } }, {}, (script) => {
      script.answers.set('tools/list', () => tools);
      script.answers.set('tools/call', () => ({ content: [] }));
    });
    const [ada, bob] = [new TestSession('ada'), new TestSession('bob')];
    hub.attach(ada);
    hub.attach(bob);
    const call = { method: 'tools/call', params: { name: 'go', arguments: {} } };
    await hub.handle(call, ada.exchange());
    const own = scripts.find((script) => script.count('tools/call') > 0)!;
    own.say({ method: 'notifications/message', params: { level: 'error', data: 'of ada' } });
    await expect.poll(() => logs(ada)).toHaveLength(1);
    expect(logs(bob)).toEqual([]);
    await hub.close();
  });

  test('passes what it does not know to the only server, and to none of several', async () => {
    const { hub, scripts } = begin();
    const session = new TestSession('a');
    expect(await hub.handle({ method: 'x/new' }, session.exchange())).toEqual({});
    expect(scripts[0]!.count('x/new')).toBe(1);
    await hub.close();
    const several = begin({ one: {}, two: {} });
    const asked = several.hub.handle({ method: 'x/new' }, session.exchange());
    await expect(asked).rejects.toThrow('Method not found: x/new');
    await several.hub.close();
  });
});
