import type { McpConfig } from '../mcp/mcp-config.ts';
import type { AdvisorSettings } from './advisor-schema.ts';
import type { NormaliseRules } from '../proxy/normalise-rules.ts';

export type UpstreamProtocol = 'chat' | 'messages' | 'responses';

/** How a model is told of tools: by the `tools` field, in its system prompt, or as it turns out to need. */
export type ToolMode = 'native' | 'prompt' | 'auto';

/** Whether answers begin inside reasoning that the prompt opened; `auto`: as it is known or turns out. */
export type StartsInReasoning = boolean | 'auto';

/** When an upstream is left alone for a while. The names mean what they mean in `@holdfast/core/guard`. */
export interface UpstreamCircuitConfig {
  readonly consecutiveFailures: number;
  readonly failureRatio: number;
  readonly minCalls: number;
  readonly windowMs: number;
  readonly openForMs: number;
  /** Whether its failures can open it for all gateways that share a store, or only here. */
  readonly scope: 'fleet' | 'local';
  /** What it does while that store is away. */
  readonly onStoreLoss: 'local' | 'admit' | 'refuse';
}

/** How often a turn is asked for, as long as nothing of an answer has come. */
export interface TurnRetryConfig {
  /** In all, over all upstreams that have the model. */
  readonly maxAttempts: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** The longest Retry-After that is waited for here; longer ones are told to the client. */
  readonly maxWaitMs: number;
}

/** A server that runs models. */
export interface UpstreamConfig {
  readonly name: string;
  /** Up to the version, such as `http://127.0.0.1:1234/v1`. */
  readonly url: string;
  /** What it is asked in: the client's own protocol where that is among them, else Chat Completions. */
  readonly protocols: readonly UpstreamProtocol[];
  /** Its key. Without one, the key the client sent is passed on, to this upstream only. */
  readonly apiKey?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of models, `*` standing for any characters. The first upstream that fits is asked, the next ones where it fails. */
  readonly models: readonly string[];
  /**
   * Names that clients ask for, and what the upstream is asked for instead. A name that is there as it is comes
   * first, else the first pattern that fits, `*` standing for any characters.
   */
  readonly modelMap: Readonly<Record<string, string>>;
  readonly connectTimeoutMs: number;
  readonly firstByteTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly toolMode: ToolMode;
  /** The dialect of prompted tools. Without one, that of the model's name. */
  readonly toolFormat?: string;
  /** By names of models, `*` matching any characters. `proxy.startsInReasoning` holds for the others. */
  readonly startsInReasoning: Readonly<Record<string, StartsInReasoning>>;
  readonly circuit: UpstreamCircuitConfig;
}

/** How turns are read and told. */
export interface ProxyConfig {
  /** Tell the arguments of a call while they are read, before it is known to be complete. */
  readonly eager: boolean;
  readonly callsInReasoning: 'if-unclosed' | 'ignore' | 'read';
  /** The formats in which calls are read. Without it, all. */
  readonly formats?: readonly string[] | undefined;
  readonly startsInReasoning: StartsInReasoning;
  /** Whether text without markup that an offered tool proves to be a call is one. */
  readonly bareCalls: boolean;
  readonly maxRequestBytes: number;
  /** The most content that one response of an upstream may hold in memory. What was sent on does not count. */
  readonly maxResponseBytes: number;
  /** A pause of the upstream longer than this is bridged with a comment or ping to the client. */
  readonly keepAliveMs: number;
  readonly normalise: NormaliseRules;
  readonly retry: TurnRetryConfig;
  /** Whether the model is told what to do about tool calls that keep failing. */
  readonly advice: boolean;
  /** When it is told that, and what. Default: as the library does. */
  readonly advisor?: AdvisorSettings;
  /** What becomes of a call that does not fit its schema: the client gets it, or the model is asked once more. */
  readonly onInvalid: 'forward' | 'ask-again';
}

/** The API of the gateway itself. */
export interface ApiConfig {
  /** The longest request, except for those with text of a model. */
  readonly maxRequestBytes: number;
}

/** How the gateway is watched, and what is kept for that. */
export interface ObserveConfig {
  /** Whether texts, arguments and results of the last requests are kept, in memory only. */
  readonly capture: boolean;
  /** Whether arguments and results that were kept are shown as they are; masked otherwise. */
  readonly reveal: boolean;
  /** How many requests are kept so. */
  readonly captureRequests: number;
  /** Whether what is known of requests, without what was said in them, is kept on disk. */
  readonly history: boolean;
  /** Where it is kept. Without one, in the user's state folder. */
  readonly historyDir?: string;
  readonly historyMaxBytes: number;
  readonly historyMaxAgeDays: number;
  /** Whether there are metrics at `/metrics`. */
  readonly metrics: boolean;
  /** Whether there is a dashboard at `/`. */
  readonly dashboard: boolean;
}

/** Where circuits are shared with other gateways. */
export interface StoreConfig {
  /** Of a Redis or Valkey; it may hold a password. */
  readonly url: string;
  readonly prefix?: string;
  /** What this gateway is called among the others. Default: a name of its own. */
  readonly replica?: string;
  readonly cluster: boolean;
}

/** What the gateway does. Made by `config/`, used by everything else; nothing else reads the environment. */
export interface GatewayConfig {
  readonly listen: {
    readonly host: string;
    /** 0 for any that is free. */
    readonly port: number;
    /** Other names that clients may use in the Host header, such as that of a container. */
    readonly hosts?: readonly string[];
  };
  /** What clients have to show. Needed on any address but loopback. */
  readonly token?: string;
  /** None where the gateway is for MCP only. */
  readonly upstreams: readonly UpstreamConfig[];
  /** The servers of tools; undefined where there are none. */
  readonly mcp?: McpConfig;
  readonly proxy: ProxyConfig;
  readonly api: ApiConfig;
  /** Undefined where circuits are shared with nobody. */
  readonly store?: StoreConfig;
  readonly observe: ObserveConfig;
  readonly log: { readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent' };
  /** Where one redacted JSON per request is written. */
  readonly traceDir?: string;
  readonly shutdownGraceMs: number;
  /** What advice is signed with. Without one, a key that is kept in the store, or else on this machine. */
  readonly adviceKey?: string;
}
