import { basename, dirname } from 'node:path';
import { formatConfigPath } from '../../config/config-problem.ts';
import type { ConfigProblem } from '../../config/config-problem.ts';
import { mcpServerSchema } from '../../config/mcp-server-schema.ts';
import { readIssue } from '../../config/read-issue.ts';
import type { BrokenRule } from '../../config/read-issue.ts';
import { isObject, listOf, objectOf } from '../../proxy/json/json-fields.ts';
import type { McpServerConfig } from '../mcp-config.ts';
import { fillMcpVariables } from './mcp-variables.ts';
import type { McpInput, McpVariables } from './mcp-variables.ts';
import { readJsonc } from './read-jsonc.ts';
import { safeServerName } from './safe-server-name.ts';
import { toMcpServer } from './to-mcp-server.ts';
import type { ReadServer, ServerContext } from './to-mcp-server.ts';

/** The servers of a file in its order, or all that is wrong with it. */
export type ReadMcpServers =
  | {
      readonly ok: true;
      readonly servers: readonly McpServerConfig[];
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

export interface McpFile extends Omit<ServerContext, 'folder'> {
  /** In messages, and where relative paths start. */
  readonly file: string;
}

/** What Claude's programs and most others call the list of servers, and what VS Code does. */
const LISTS = ['mcpServers', 'servers'] as const;

/** Folders of clients within the folder that is worked in. */
const CLIENT_FOLDERS: ReadonlySet<string> = new Set(['.vscode', '.cursor', '.roo', '.claude']);

/** Reads the text of a file of MCP servers as clients have it. Never throws. */
export function readMcpServers(text: string, given: McpFile): ReadMcpServers {
  const { file } = given;
  const json = readJsonc(text);
  if (!json.ok) {
    return { ok: false, problems: json.problems.map((each) => ({ file, path: '', ...each })) };
  }
  const broken: BrokenRule[] = [];
  const notes: string[] = [];
  const context = { ...given, folder: folderOf(file) };
  const { env, folder } = context;
  const variables = { env, folder, inputs: inputsOf(json.value) };
  const servers = new Map<string, McpServerConfig>();
  const written = new Map<string, string>();
  for (const { path, entry } of entriesOf(json.value, broken)) {
    const label = String(path.at(-1));
    if (isLeftOut(entry)) {
      notes.push(`${label} is disabled`);
      continue;
    }
    const read = readServer(entry, safeServerName(label), variables, context);
    broken.push(...read.broken.map((rule) => ({ ...rule, path: [...path, ...rule.path] })));
    notes.push(...read.notes.map((note) => `${label}: ${note}`));
    const clash = clashOf(label, written);
    if (clash !== undefined) broken.push({ path, message: clash, isKey: true });
    written.set(safeServerName(label), label);
    if (read.server !== undefined) servers.set(read.server.name, read.server);
  }
  if (broken.length === 0) {
    return {
      ok: true,
      servers: [...servers.values()],
      notes: notes.map((note) => `${file}: ${note}`),
    };
  }
  const problems = broken.map(({ path, message, isKey }) => ({
    file,
    ...json.placeOf(path, isKey),
    path: formatConfigPath(path),
    message,
  }));
  return { ok: false, problems: problems.sort((a, b) => a.line - b.line || a.column - b.column) };
}

/** The folder that is worked in: `${workspaceFolder}`, and where relative paths start. */
function folderOf(file: string): string {
  const folder = dirname(file);
  return CLIENT_FOLDERS.has(basename(folder)) ? dirname(folder) : folder;
}

interface Entry {
  readonly path: readonly string[];
  readonly entry: unknown;
}

function entriesOf(root: unknown, broken: BrokenRule[]): readonly Entry[] {
  const fields = objectOf(root);
  const lists = LISTS.filter((key) => Object.hasOwn(fields, key));
  if (lists.length === 0) {
    const message = 'expected "mcpServers" or "servers" with the servers by their names';
    broken.push({ path: [], message, isKey: false });
  }
  return lists.flatMap((key) => {
    const list = fields[key];
    if (isObject(list)) {
      return Object.entries(list).map(([name, entry]) => ({ path: [key, name], entry }));
    }
    broken.push({ path: [key], message: 'expected servers by their names', isKey: false });
    return [];
  });
}

/** What must not run is not even read: its variables may be set on other machines only. */
function isLeftOut(entry: unknown): boolean {
  const { disabled, enabled } = objectOf(entry);
  return disabled === true || enabled === false;
}

function clashOf(label: string, written: ReadonlyMap<string, string>): string | undefined {
  if (label === '') return 'expected a name for the server, got empty text';
  const other = written.get(safeServerName(label));
  if (other === undefined) return undefined;
  return `expected a name of its own, got ${JSON.stringify(label)}, which becomes ${safeServerName(label)} as ${JSON.stringify(other)} does`;
}

function readServer(
  entry: unknown,
  name: string,
  variables: McpVariables,
  context: ServerContext,
): ReadServer {
  const notes: string[] = [];
  const broken: BrokenRule[] = [];
  const filled = fillEntry(entry, variables, notes, broken);
  const checked = mcpServerSchema.safeParse(filled);
  if (!checked.success) {
    // What arrived is told as it was written: what a variable holds may be a secret.
    broken.push(
      ...checked.error.issues.flatMap((issue) => readIssue(issue, entry, mcpServerSchema)),
    );
    return { broken, notes };
  }
  const read = toMcpServer(name, checked.data, context);
  return { ...read, broken: [...broken, ...read.broken], notes: [...notes, ...read.notes] };
}

const FILLED: ReadonlySet<string> = new Set([
  'args',
  'command',
  'cwd',
  'env',
  'envFile',
  'headers',
  'url',
]);

function fillEntry(
  entry: unknown,
  variables: McpVariables,
  notes: string[],
  broken: BrokenRule[],
): unknown {
  const fill = (value: unknown, path: readonly PropertyKey[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, index]));
    if (isObject(value)) {
      return Object.fromEntries(
        Object.entries(value)
          .filter(([key]) => path.length > 0 || FILLED.has(key))
          .map(([key, inner]) => [key, fill(inner, [...path, key])]),
      );
    }
    if (typeof value !== 'string') return value;
    const filled = fillMcpVariables(value, variables);
    notes.push(...filled.notes);
    broken.push(...filled.problems.map((message) => ({ path, message, isKey: false })));
    return filled.text;
  };
  return isObject(entry) ? { ...entry, ...objectOf(fill(entry, [])) } : entry;
}

/** VS Code's list of questions; the default of a secret one is none. */
function inputsOf(root: unknown): ReadonlyMap<string, McpInput> {
  const inputs = new Map<string, McpInput>();
  for (const item of listOf(objectOf(root)['inputs'])) {
    const { id, description, default: fallback, password } = objectOf(item);
    if (typeof id !== 'string') continue;
    inputs.set(id, {
      ...(typeof description === 'string' ? { description } : {}),
      ...(typeof fallback === 'string' && password !== true ? { fallback } : {}),
    });
  }
  return inputs;
}
