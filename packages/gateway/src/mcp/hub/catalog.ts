import type { JsonObject } from '@holdfast/core';
import { didYouMean } from '../../cli/nearest.ts';
import type { Logger } from '../../log/logger.ts';
import type { ToolRedefined } from '../../observe/gateway-event.ts';
import type { PluginOverrides } from '../../plugins/plugin-run.ts';
import { isObject, textOf } from '../../proxy/json/json-fields.ts';
import type { McpConfig } from '../mcp-config.ts';
import type { ListedTool } from '../messages.ts';
import { isShown } from '../naming/is-shown.ts';
import { ResourceOwners } from '../naming/resource-owners.ts';
import { ShownNames } from '../naming/shown-names.ts';
import { suspiciousText } from '../naming/suspicious-text.ts';
import { INSTRUCTIONS } from '../naming/tool-pins.ts';
import type { ToolPins } from '../naming/tool-pins.ts';
import { INVALID_PARAMS, ProtocolFault } from '../protocol-fault.ts';
import type { UpstreamServer } from '../upstream/upstream-server.ts';
import { LIST_RULES } from './list-kinds.ts';
import type { ListKind } from './list-kinds.ts';
import { mergeCacheHints } from './merge-cache-hints.ts';
import type { ListSnapshot, ServerLists } from './server-lists.ts';
import { UnknownTools } from './unknown-tools.ts';

export interface CatalogOptions {
  readonly config: McpConfig;
  readonly servers: readonly UpstreamServer[];
  readonly lists: ReadonlyMap<string, ServerLists>;
  /** What tools were when they were seen first. */
  readonly pins: ToolPins;
  readonly log: Logger;
  /** The tools that plugins name, of whatever server. Default: none. */
  readonly overrides?: (() => readonly PluginOverrides[]) | undefined;
  /** Told of tools that turned into others. Default: nobody. */
  readonly onRedefined?: ((event: ToolRedefined) => void) | undefined;
}

/** A tool of a server. */
export interface FoundTool {
  readonly server: UpstreamServer;
  readonly tool: ListedTool;
  /** It is another than it was, and nobody has approved that: it is not to be called. */
  readonly isQuarantined?: boolean;
  /** The server does not list it. */
  readonly isUnlisted?: boolean;
}

/** A tool under the name that clients know. */
export interface OfferedTool {
  readonly name: string;
  readonly server: string;
  /** As its server names it. */
  readonly tool: string;
  readonly description: string;
  /** Where it is another than it was: it is not shown, and not called until somebody approves it. */
  readonly quarantined?: true;
}

/** What is made of the lists of all servers, as long as none of them changes. */
interface Built<T> {
  readonly from: readonly ListSnapshot[];
  readonly value: T;
}

interface Shown {
  readonly names: ShownNames;
  readonly items: readonly JsonObject[];
  readonly shown: readonly string[];
  readonly shownByServer: ReadonlyMap<string, readonly string[]>;
  readonly byShown: ReadonlyMap<string, ShownItem>;
}

interface ShownItem {
  readonly server: UpstreamServer;
  readonly item: JsonObject;
  readonly isHeld: boolean;
}

/** What all servers have together, under the names that clients know. */
export class Catalog {
  readonly #options: CatalogOptions;
  readonly #unknown: UnknownTools;
  #tools: Built<Shown> | undefined;
  #prompts: Built<Shown> | undefined;
  #owners: Built<ResourceOwners> | undefined;

  constructor(options: CatalogOptions) {
    this.#options = options;
    this.#unknown = new UnknownTools(options.log);
  }

  /** The names of the tools that clients were shown last. */
  get shownTools(): readonly string[] {
    return this.#tools?.value.shown ?? [];
  }

  /** Those of one server. */
  shownToolsOf(server: string): readonly string[] {
    return this.#tools?.value.shownByServer.get(server) ?? NO_NAMES;
  }

  /** The tools that clients were shown last, with what they are at their servers. */
  get offered(): readonly OfferedTool[] {
    return [...(this.#tools?.value.byShown ?? [])].map(([name, { server, item, isHeld }]) => ({
      name,
      server: server.name,
      tool: textOf(item['name']),
      // What nobody has approved is not repeated.
      description: isHeld ? '' : textOf(item['description']),
      ...(isHeld && { quarantined: true }),
    }));
  }

  /** Whether a server lists the tool, by the name that clients know. */
  isListed(shown: string): boolean {
    return this.#tools?.value.byShown.has(shown) === true;
  }

  /** One list of all servers, in their order, within the time that a list may take. */
  async list(kind: ListKind): Promise<JsonObject> {
    const snapshots = await this.#get(kind);
    const hints = mergeCacheHints(snapshots);
    return { [LIST_RULES[kind].field]: this.#itemsOf(kind, snapshots), ...hints };
  }

  /** The tool that a client means. Servers are asked for their lists only where none knows the name. */
  async tool(shown: string): Promise<FoundTool | undefined> {
    const known = this.#peekTools().byShown.get(shown);
    const found = known ?? this.#shownTools(await this.#get('tools')).byShown.get(shown);
    // Whatever is listed without a schema has none that anything could be held against.
    return found && { server: found.server, tool: asTool(found.item), isQuarantined: found.isHeld };
  }

  /**
   * Whether the instructions of a server are shown. Those that changed after they were first seen are held back as
   * tools are.
   */
  showsInstructions(server: string, text: string): boolean {
    const { log, pins, config, onRedefined } = this.#options;
    const quarantined = config.redefinedTools === 'quarantine';
    const verdict = pins.seeInstructions(server, text);
    if (verdict === 'changed') {
      log.warn(
        { server },
        quarantined
          ? 'the instructions of a server changed, and are held back'
          : 'the instructions of a server changed',
      );
      onRedefined?.({ type: 'tool-redefined', server, tool: INSTRUCTIONS, quarantined });
      if (!quarantined) pins.approve(server, INSTRUCTIONS);
    }
    pins.save();
    return !quarantined || verdict === 'new' || verdict === 'same';
  }

  /** Tools that were held back may have been approved: what was made of the lists is made anew. */
  forgetTools(): void {
    this.#tools = undefined;
  }

  /** Whether the only server has this tool and it is not to be shown. */
  isHidden(name: string): boolean {
    return this.#options.config.servers.some((server) => !isShown(name, server));
  }

  unknownTool(shown: string): string {
    // The name is the client's: what is said of it must not be longer than it may be.
    const name = shown.length > MAX_NAME ? `${shown.slice(0, MAX_NAME)}…` : shown;
    return `Unknown tool: ${name}${didYouMean(name, this.shownTools)}`;
  }

  async prompt(shown: string): Promise<{ readonly server: UpstreamServer; readonly name: string }> {
    const [only, ...others] = this.#options.servers;
    const known = this.#shownPrompts(this.#peek('prompts')).names.find(shown);
    const found = known ?? this.#shownPrompts(await this.#get('prompts')).names.find(shown);
    const server = this.#options.servers.find(({ name }) => name === found?.server);
    if (found !== undefined && server !== undefined) return { server, name: found.name };
    if (only !== undefined && others.length === 0) return { server: only, name: shown };
    throw new ProtocolFault(INVALID_PARAMS, `Unknown prompt: ${shown}`);
  }

  /** The server that a resource is asked of. */
  async resource(uri: string): Promise<UpstreamServer> {
    const { servers } = this.#options;
    const [only, ...others] = servers;
    if (only !== undefined && others.length === 0) return only;
    // A template may fit what another server lists, so it counts only once all were asked.
    const at = this.#peek('resources').findIndex((list) => textsOf(list, 'uri').includes(uri));
    const name = servers[at]?.name ?? (await this.#askOwner(uri));
    const server = servers.find((each) => each.name === name);
    if (server !== undefined) return server;
    throw new ProtocolFault(INVALID_PARAMS, `Unknown resource: ${uri}`, { uri });
  }

  async #askOwner(uri: string): Promise<string | undefined> {
    const lists = await Promise.all([this.#get('resources'), this.#get('templates')]);
    const owners = this.#ownersOf(...lists);
    return owners.ownerOf(uri) ?? owners.ownerOfTemplate(uri);
  }

  #peek(kind: ListKind): readonly ListSnapshot[] {
    const { servers, lists } = this.#options;
    return servers.map(({ name }) => lists.get(name)?.peek(kind) ?? EMPTY);
  }

  #get(kind: ListKind): Promise<readonly ListSnapshot[]> {
    const { servers, lists } = this.#options;
    return Promise.all(
      servers.map(async ({ name }) => (await lists.get(name)?.get(kind)) ?? EMPTY),
    );
  }

  #peekTools(): Shown {
    const { servers, lists } = this.#options;
    const built = this.#tools;
    const isSame = built?.from.every(
      (snapshot, at) => snapshot === lists.get(servers[at]?.name ?? '')?.peek('tools'),
    );
    if (built !== undefined && isSame === true) return built.value;
    return this.#shownTools(this.#peek('tools'));
  }

  #itemsOf(kind: ListKind, snapshots: readonly ListSnapshot[]): readonly JsonObject[] {
    switch (kind) {
      case 'tools':
        return this.#shownTools(snapshots).items;
      case 'prompts':
        return this.#shownPrompts(snapshots).items;
      case 'resources':
        return withoutRepeats(snapshots, 'uri');
      case 'templates':
        return withoutRepeats(snapshots, 'uriTemplate');
    }
  }

  #warnOfUnknown(snapshots: readonly ListSnapshot[]): void {
    const { config, overrides } = this.#options;
    const servers = config.servers.map((server, at) => ({
      config: server,
      tools: textsOf(snapshots[at] ?? EMPTY, 'name'),
    }));
    this.#unknown.check(servers, overrides?.() ?? []);
  }

  #shownTools(snapshots: readonly ListSnapshot[]): Shown {
    if (isBuiltFrom(this.#tools, snapshots)) return this.#tools.value;
    this.#warnOfUnknown(snapshots);
    const allowed = snapshots.map(({ items }, at) => {
      const config = this.#options.config.servers[at];
      return items.filter(
        ({ name }) => config !== undefined && isName(name) && isShown(name, config),
      );
    });
    const value = this.#show(allowed, this.#watchDefinitions(allowed));
    this.#tools = { from: snapshots, value };
    return value;
  }

  #shownPrompts(snapshots: readonly ListSnapshot[]): Shown {
    if (isBuiltFrom(this.#prompts, snapshots)) return this.#prompts.value;
    const value = this.#show(snapshots.map(({ items }) => items));
    this.#prompts = { from: snapshots, value };
    return value;
  }

  #show(
    listed: readonly (readonly JsonObject[])[],
    held: ReadonlySet<JsonObject> = NONE_HELD,
  ): Shown {
    const { servers, config, log } = this.#options;
    const { prefix, separator } = config;
    const named = servers.map(({ name: server }, at) => ({
      server,
      names: (listed[at] ?? []).flatMap(({ name }) => (isName(name) ? [name] : [])),
    }));
    const names = new ShownNames(named, { prefix, separator, servers: servers.length });
    for (const note of names.notes) log.warn({}, note);
    const byShown = new Map<string, ShownItem>();
    const items: JsonObject[] = [];
    const shownNames: string[] = [];
    const shownByServer = new Map<string, string[]>(servers.map(({ name }) => [name, []]));
    const byOwner = new Map(
      servers.map((server, at) => [server.name, { server, items: byName(listed[at] ?? []) }]),
    );
    for (const { server: owner, name, shown } of names.list) {
      const { server, items: owned } = byOwner.get(owner) ?? {};
      const item = owned?.get(name);
      if (server === undefined || item === undefined) continue;
      const isHeld = held.has(item);
      byShown.set(shown, { server, item, isHeld });
      // It keeps its name, but a model must not read what it says of itself now.
      if (isHeld) continue;
      items.push(shown === name ? item : { ...item, name: shown });
      shownNames.push(shown);
      shownByServer.get(owner)?.push(shown);
    }
    return { names, items, shown: shownNames, shownByServer, byShown };
  }

  /**
   * Looks at what tools say of themselves. What changed after it was first seen, or hides something, is told; what
   * changed is held back until it is approved, unless all of it is let through. Returns what is held back.
   */
  #watchDefinitions(listed: readonly (readonly JsonObject[])[]): ReadonlySet<JsonObject> {
    const { servers, log, pins, config, onRedefined } = this.#options;
    const quarantined = config.redefinedTools === 'quarantine';
    const held = new Set<JsonObject>();
    for (const [at, items] of listed.entries()) {
      const server = servers[at]?.name ?? '';
      const mayLog = (): boolean => servers[at]?.lines.admit() === true;
      let told = 0;
      const warn = (tool: string, what: string): void => {
        if (++told <= MOST_WARNINGS && mayLog()) log.warn({ server, tool }, what);
      };
      for (const item of byName(items).values()) {
        const tool = asTool(item);
        const verdict = pins.see(server, tool);
        if (verdict === 'same') continue;
        if (verdict !== 'new' && quarantined) held.add(item);
        if (verdict === 'held') continue;
        if (verdict === 'changed') {
          warn(
            tool.name,
            quarantined ? 'a tool was redefined, and is held back' : 'a tool was redefined',
          );
          if (told <= MOST_WARNINGS) {
            onRedefined?.({ type: 'tool-redefined', server, tool: tool.name, quarantined });
          }
          if (!quarantined) pins.approve(server, tool.name);
        }
        for (const found of suspiciousText(tool)) warn(tool.name, found);
      }
      if (told > MOST_WARNINGS) {
        log.warn({ server, more: told - MOST_WARNINGS }, 'more is odd about its tools');
      }
    }
    pins.save();
    return held;
  }

  #ownersOf(
    resources: readonly ListSnapshot[],
    templates: readonly ListSnapshot[],
  ): ResourceOwners {
    const from = [...resources, ...templates];
    if (isBuiltFrom(this.#owners, from)) return this.#owners.value;
    const value = new ResourceOwners(
      this.#options.servers.map(({ name: server }, at) => ({
        server,
        uris: textsOf(resources[at], 'uri'),
        templates: textsOf(templates[at], 'uriTemplate'),
      })),
    );
    for (const note of value.notes) this.#options.log.warn({}, note);
    this.#owners = { from, value };
    return value;
  }
}

/** What has no name can be neither shown nor called. */
function isName(name: unknown): name is string {
  return typeof name === 'string' && name !== '';
}

/** Of several that a server lists under one name, the first. */
function byName(items: readonly JsonObject[]): ReadonlyMap<unknown, JsonObject> {
  return new Map(items.toReversed().map((item) => [item['name'], item]));
}

/** As long as the protocol lets names be. */
const MAX_NAME = 128;
const EMPTY: ListSnapshot = Object.freeze({ items: [] });
/** What is odd about the tools of one list; the rest is counted. A server may list ten thousand, each of them odd. */
const MOST_WARNINGS = 50;
const NO_NAMES: readonly string[] = Object.freeze([]);
const NONE_HELD: ReadonlySet<JsonObject> = new Set();

function isBuiltFrom<T>(
  built: Built<T> | undefined,
  from: readonly ListSnapshot[],
): built is Built<T> {
  return built?.from.length === from.length && built.from.every((each, at) => each === from[at]);
}

function textsOf(snapshot: ListSnapshot | undefined, field: string): readonly string[] {
  return (snapshot?.items ?? []).flatMap(({ [field]: text }) =>
    typeof text === 'string' ? [text] : [],
  );
}

/** Where two servers have the same resource, that of the first is shown. */
function withoutRepeats(snapshots: readonly ListSnapshot[], field: string): readonly JsonObject[] {
  const first = new Map<unknown, JsonObject>();
  for (const item of snapshots.flatMap(({ items }) => items)) {
    if (!first.has(item[field])) first.set(item[field], item);
  }
  return [...first.values()];
}

const NO_SCHEMA: JsonObject = Object.freeze({ type: 'object' });
const asTools = new WeakMap<JsonObject, ListedTool>();

/** The same object for the same item: what is kept per tool hangs on it. */
function asTool(item: JsonObject): ListedTool {
  const known = asTools.get(item);
  if (known !== undefined) return known;
  const { name, inputSchema } = item;
  const tool: ListedTool = isObject(inputSchema)
    ? { ...item, name: textOf(name), inputSchema }
    : { ...item, name: textOf(name), inputSchema: NO_SCHEMA };
  asTools.set(item, tool);
  return tool;
}
