import { CONFIG_DEFAULTS } from '../config/config-defaults.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { readListenAddress } from '../config/read-listen-address.ts';
import { isLoopback } from '../http/is-loopback.ts';
import type { PrefixMode } from '../mcp/mcp-config.ts';
import type { Arguments, OptionKinds } from './command.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';
import { readChoice } from './read-choice.ts';
import { readHostNames } from './read-host-names.ts';
import { readLogLevel } from './read-log-level.ts';

/** The options of `holdfast mcp`. */
export const MCP_OPTIONS: OptionKinds = {
  config: 'values',
  yes: 'flag',
  listen: 'value',
  'host-name': 'values',
  token: 'value',
  prefix: 'value',
  plugins: 'value',
  pins: 'value',
  timeout: 'value',
  allow: 'values',
  deny: 'values',
  'no-check': 'flag',
  'no-advice': 'flag',
  store: 'value',
  log: 'value',
};

/** What the options of `holdfast mcp` say. */
export interface McpFlags {
  /** The files to read; none where they have to be looked for, or where `command` is the server. */
  readonly files: readonly string[];
  /** The one server, as it is started. */
  readonly command?: readonly string[];
  /** Where to serve Streamable HTTP; over standard input and output without it. */
  readonly listen?: GatewayConfig['listen'];
  readonly token?: string;
  readonly prefix?: PrefixMode;
  readonly pluginFile?: string;
  readonly pinFile?: string;
  readonly timeoutMs?: number;
  /** In place of what files allow. */
  readonly allow?: readonly string[];
  /** Besides what files deny. */
  readonly deny: readonly string[];
  readonly check: boolean;
  readonly advice: boolean;
  readonly logLevel: GatewayConfig['log']['level'];
}

/** Reads the options of `holdfast mcp`. */
export function readMcpFlags(given: Arguments, env: Io['env']): McpFlags {
  const { flags, values, lists, positionals, behindDashes = [] } = given;
  const files = lists.get('config') ?? [];
  if (positionals.length > behindDashes.length) {
    const extra = positionals.slice(0, positionals.length - behindDashes.length).join(' ');
    throw new Misuse(
      `expected options only, got ${extra}; the command of a server goes behind --, a file behind --config`,
    );
  }
  if (given.behindDashes?.length === 0) {
    throw new Misuse('--: expected the command of a server behind it, got nothing');
  }
  if (behindDashes.length > 0 && files.length > 0) {
    throw new Misuse('expected --config or a command behind --, got both');
  }
  const listen = readListen(given);
  const variable = env['HOLDFAST_TOKEN'] === '' ? undefined : env['HOLDFAST_TOKEN'];
  const token = values.get('token') ?? variable;
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new Misuse('--token: expected plain characters without spaces or line breaks');
  }
  if (listen !== undefined && !isLoopback(listen.host) && token === undefined) {
    throw new Misuse(
      `--listen: expected --token too, as other machines reach ${listen.host} and could use every tool; ` +
        'give one, or listen on 127.0.0.1',
    );
  }
  const prefix = readChoice(given, 'prefix', ['auto', 'always', 'never']);
  const pluginFile = values.get('plugins');
  const pinFile = values.get('pins');
  const timeoutMs = readTimeout(values.get('timeout'));
  const allow = lists.get('allow');
  return {
    files,
    ...(behindDashes.length === 0 ? {} : { command: behindDashes }),
    ...(listen === undefined ? {} : { listen }),
    ...(token === undefined ? {} : { token }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(pluginFile === undefined ? {} : { pluginFile }),
    ...(pinFile === undefined ? {} : { pinFile }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(allow === undefined ? {} : { allow }),
    deny: lists.get('deny') ?? [],
    check: !flags.has('no-check'),
    advice: !flags.has('no-advice'),
    logLevel: readLogLevel(given, env) ?? CONFIG_DEFAULTS.log.level,
  };
}

function readListen(given: Arguments): GatewayConfig['listen'] | undefined {
  const written = given.values.get('listen');
  if (written === undefined) {
    if (!given.lists.has('host-name')) return undefined;
    throw new Misuse('--host-name: expected with --listen only, as pipes have no names');
  }
  const read = readListenAddress(written);
  if (!read.ok) throw new Misuse(`--listen: expected ${read.expected}, got "${written}"`);
  return { host: read.host, port: read.port, ...readHostNames(given) };
}

function readTimeout(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const seconds = /^\d{1,7}(?:\.\d{1,3})?$/.test(written) ? Number(written) : 0;
  if (seconds > 0 && seconds <= 2_000_000) return Math.ceil(seconds * 1000);
  throw new Misuse(`--timeout: expected seconds above 0, got "${written}"`);
}
