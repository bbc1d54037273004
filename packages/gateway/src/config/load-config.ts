import type { z } from 'zod';
import { isLoopback } from '../http/is-loopback.ts';
import { formatConfigPath } from './config-problem.ts';
import type { ConfigProblem } from './config-problem.ts';
import { configSchema } from './config-schema.ts';
import type { ConfigFile } from './config-schema.ts';
import type { Environment } from './expand-variables.ts';
import { fillIn, retype } from './fill-in.ts';
import type { GatewayConfig } from './gateway-config.ts';
import { readConfigFile } from './read-config-file.ts';
import { readIssue } from './read-issue.ts';
import type { BrokenRule } from './read-issue.ts';
import { readYaml } from './read-yaml.ts';
import { toMcpConfig } from './to-mcp-config.ts';
import { nameOf, toGatewayConfig, toListen } from './to-gateway-config.ts';

/** A configuration with what was set right in it, or all that is wrong with it. */
export type LoadedConfig =
  | { readonly ok: true; readonly config: GatewayConfig; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** What a configuration is read with. */
export interface ConfigSource {
  /** Folders in it are relative to this file. */
  readonly file: string;
  readonly env: Environment;
  /** Reads the files that it names. Default: from the disk. */
  readonly readFile?: (path: string) => string;
}

/** Reads the text of a `holdfast.yaml`. Never throws. */
export function loadConfig(text: string, from: ConfigSource, mayBeIdle = false): LoadedConfig {
  const { file } = from;
  const yaml = readYaml(text);
  if (!yaml.ok) {
    return {
      ok: false,
      problems: yaml.problems.map((problem) => ({ file, path: '', ...problem })),
    };
  }
  const read = readConfig(yaml.value, from, mayBeIdle);
  if (read.ok) return read;
  const problems = read.broken.map(({ path, message, isKey }) => ({
    file,
    ...yaml.placeOf(path, isKey),
    path: formatConfigPath(path),
    message,
  }));
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return { ok: false, problems: [...problems, ...read.problems] };
}

/** A configuration with what was set right in it, or all that is wrong with it and with files that it names. */
export type ReadConfig =
  | Extract<LoadedConfig, { ok: true }>
  | {
      readonly ok: false;
      readonly broken: readonly BrokenRule[];
      readonly problems: readonly ConfigProblem[];
    };

/** Reads what a `holdfast.yaml` would say. Never throws. */
export function readConfig(
  value: unknown,
  from: ConfigSource,
  /** Whether it is all right to name neither upstreams nor servers. */
  mayBeIdle = false,
): ReadConfig {
  const { file, env, readFile = readConfigFile } = from;
  const checked = check(value, env, mayBeIdle);
  const section = checked.ok ? checked.read.mcp : undefined;
  const mcp = section && toMcpConfig(section, { file, env, readFile });
  if (checked.ok && mcp?.ok !== false) {
    const { config, notes } = toGatewayConfig(checked.read, file, mcp?.mcp);
    return { ok: true, config, notes: [...notes, ...(mcp?.notes ?? [])] };
  }
  const ofMcp = mcp?.ok === false ? mcp : undefined;
  return {
    ok: false,
    broken: [...(checked.ok ? [] : checked.broken), ...(ofMcp?.broken ?? [])],
    problems: ofMcp?.problems ?? [],
  };
}

/** What a schema made of a value once variables were filled in, or what is wrong with it. */
export interface CheckedValue<Read> {
  readonly read: Read | undefined;
  readonly broken: readonly BrokenRule[];
}

/** Fills variables into a value and checks it against a schema. */
export function checkFilled<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  env: Environment,
): CheckedValue<z.output<Schema>> {
  const filled = fillIn(value, env);
  let given = filled.value;
  let parsed = schema.safeParse(given);
  const retyped = parsed.success ? undefined : retype(filled, parsed.error.issues);
  if (retyped !== undefined) {
    given = retyped;
    parsed = schema.safeParse(given);
  }
  if (parsed.success) return { read: parsed.data, broken: filled.problems };
  // What could not be filled in is reported once, not again as text that does not fit.
  const reported = new Set(filled.problems.map(({ path }) => formatConfigPath(path)));
  const rules = parsed.error.issues.flatMap((issue) => readIssue(issue, given, schema));
  const broken = rules.filter(({ path }) => !reported.has(formatConfigPath(path)));
  return { read: undefined, broken: [...filled.problems, ...broken] };
}

type Checked =
  | { readonly ok: true; readonly read: ConfigFile }
  | { readonly ok: false; readonly broken: readonly BrokenRule[] };

function check(value: unknown, env: Environment, mayBeIdle: boolean): Checked {
  const { read, broken } = checkFilled(configSchema, value, env);
  if (read === undefined) return { ok: false, broken };
  const all = [
    ...broken,
    ...(mayBeIdle ? [] : nothingToDo(read)),
    ...sameNames(read),
    ...promptsWithoutChat(read),
    ...openToOthers(read),
  ];
  return all.length === 0 ? { ok: true, read } : { ok: false, broken: all };
}

function nothingToDo({ upstreams, mcp }: ConfigFile): BrokenRule[] {
  if (upstreams.length > 0 || mcp !== undefined) return [];
  const message = 'expected a list of upstreams, each with a url, or mcp with servers; got nothing';
  return [{ path: ['upstreams'], message, isKey: false }];
}

function sameNames({ upstreams }: ConfigFile): BrokenRule[] {
  const names = upstreams.map(nameOf);
  return names.flatMap((name, index) => {
    const first = names.indexOf(name);
    if (first === index) return [];
    const message = `expected a name of its own, got "${name}", which upstreams[${first}] has`;
    return [{ path: ['upstreams', index, 'name'], message, isKey: false }];
  });
}

/** Tools are put into prompts of Chat Completions only. */
function promptsWithoutChat({ upstreams }: ConfigFile): BrokenRule[] {
  return upstreams.flatMap(({ protocols, toolMode, toolFormat }, index) => {
    if (protocols.includes('chat')) return [];
    const key = toolMode === 'prompt' ? 'toolMode' : 'toolFormat';
    const value = toolMode === 'prompt' ? toolMode : toolFormat;
    if (value === undefined) return [];
    const message =
      'expected protocols with chat, as tools are put into the prompt of Chat Completions; ' +
      `got "${value}" with protocols: [${protocols.join(', ')}]`;
    return [{ path: ['upstreams', index, key], message, isKey: false }];
  });
}

function openToOthers(read: ConfigFile): BrokenRule[] {
  const { host } = toListen(read.listen);
  if (isLoopback(host) || (read.token ?? '') !== '') return [];
  const message =
    `expected a token, as other machines reach ${host} and could use the gateway and its keys; ` +
    'set token, or listen on 127.0.0.1';
  return [{ path: ['listen'], message, isKey: false }];
}
