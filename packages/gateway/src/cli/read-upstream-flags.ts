import { CONFIG_DEFAULTS } from '../config/config-defaults.ts';
import type { UpstreamConfig } from '../config/gateway-config.ts';
import { readUpstreamUrl } from '../config/read-upstream-url.ts';
import { maskUrl } from '../redact/redactor.ts';
import type { Arguments, OptionKinds } from './command.ts';
import { Misuse } from './misuse.ts';
import { readChoice } from './read-choice.ts';
import { TOOL_FORMATS } from '../config/tool-formats.ts';

/** The options of `holdfast proxy` that say whom to ask, and how. */
export const UPSTREAM_OPTIONS: OptionKinds = {
  upstream: 'values',
  model: 'value',
  protocol: 'value',
  'tool-mode': 'value',
  'tool-format': 'value',
};

const PROTOCOLS = {
  chat: ['chat'],
  messages: ['messages'],
  responses: ['responses'],
  both: ['chat', 'messages'],
  all: ['chat', 'messages', 'responses'],
} as const satisfies Record<string, UpstreamConfig['protocols']>;

/** Whom to ask where no option says it, and the key that belongs to one server. */
export interface UpstreamDefaults {
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
}

/** The upstreams that options describe, in the order of requests, and what was corrected in them. There may be none. */
export function readUpstreamFlags(
  given: Arguments,
  { url, apiKey }: UpstreamDefaults,
): { readonly upstreams: readonly UpstreamConfig[]; readonly notes: readonly string[] } {
  const asked = given.lists.get('upstream') ?? (url === undefined ? [] : [url]);
  if (asked.length > 1 && apiKey !== undefined) {
    throw new Misuse(
      '--api-key: expected one --upstream, as a key is for one server only; ' +
        'put each key into its URL (http://KEY@host/v1), or write a holdfast.yaml',
    );
  }
  const shared = readShared(given);
  const upstreams: UpstreamConfig[] = [];
  const notes: string[] = [];
  for (const written of asked) {
    const address = readUpstreamUrl(written);
    if (!address.ok) {
      throw new Misuse(`--upstream: expected ${address.expected}, got "${maskUrl(written)}"`);
    }
    if (upstreams.some((other) => other.url === address.url)) {
      throw new Misuse(`--upstream: expected another server each time, got ${address.url} twice`);
    }
    const key = apiKey ?? address.apiKey;
    const name = freeName(new URL(address.url).host, upstreams);
    upstreams.push({
      ...shared,
      name,
      url: address.url,
      ...(key === undefined ? {} : { apiKey: key }),
    });
    notes.push(...address.notes);
  }
  return { upstreams, notes };
}

/** What holds for all of them alike. */
function readShared(given: Arguments): Omit<UpstreamConfig, 'name' | 'url' | 'apiKey'> {
  const { upstream } = CONFIG_DEFAULTS;
  const model = given.values.get('model');
  const protocol =
    readChoice(given, 'protocol', ['chat', 'messages', 'responses', 'both', 'all']) ?? 'chat';
  const toolMode = readChoice(given, 'tool-mode', ['native', 'prompt', 'auto']);
  const toolFormat = readChoice(given, 'tool-format', TOOL_FORMATS);
  const protocols: UpstreamConfig['protocols'] = PROTOCOLS[protocol];
  if (!protocols.includes('chat') && (toolMode === 'prompt' || toolFormat !== undefined)) {
    throw new Misuse(
      `--tool-${toolMode === 'prompt' ? 'mode' : 'format'}: expected --protocol chat, both or all, ` +
        `as tools are put into the prompt of Chat Completions; got --protocol ${protocol}`,
    );
  }
  return {
    ...upstream,
    protocols,
    modelMap: model === undefined ? {} : { '*': model },
    toolMode: toolMode ?? upstream.toolMode,
    ...(toolFormat === undefined ? {} : { toolFormat }),
  };
}

/** Names tell upstreams apart in logs and answers, also two behind one address. */
function freeName(host: string, taken: readonly UpstreamConfig[]): string {
  let name = host;
  for (let number = 2; taken.some((other) => other.name === name); number++) {
    name = `${host}-${number}`;
  }
  return name;
}
