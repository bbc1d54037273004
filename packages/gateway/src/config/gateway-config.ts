import type { NormaliseRules } from '../proxy/normalise-rules.ts';

export type UpstreamProtocol = 'chat' | 'messages';

/** A server that runs models. */
export interface UpstreamConfig {
  readonly name: string;
  /** Up to the version, such as `http://127.0.0.1:1234/v1`. */
  readonly url: string;
  /** What it is asked in: Chat Completions, or the client's own protocol where that is Anthropic's. */
  readonly protocols: readonly UpstreamProtocol[];
  /** Its key. Without one, the key the client sent is passed on, to this upstream only. */
  readonly apiKey?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of models, `*` standing for any characters; the first upstream that fits is asked. */
  readonly models: readonly string[];
  /**
   * Names that clients ask for, and what the upstream is asked for instead. A name that is there as it is comes
   * first, else the first pattern that fits, `*` standing for any characters.
   */
  readonly modelMap: Readonly<Record<string, string>>;
  readonly connectTimeoutMs: number;
  readonly firstByteTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

/** How turns are read and told. */
export interface ProxyConfig {
  /** Tell the arguments of a call while they are read, before it is known to be complete. */
  readonly eager: boolean;
  readonly callsInReasoning: 'if-unclosed' | 'ignore' | 'read';
  readonly maxRequestBytes: number;
  /** A pause of the upstream longer than this is bridged with a comment or ping to the client. */
  readonly keepAliveMs: number;
  readonly normalise: NormaliseRules;
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
  readonly upstreams: readonly UpstreamConfig[];
  readonly proxy: ProxyConfig;
  readonly log: { readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent' };
  /** Where one redacted JSON per request is written. */
  readonly traceDir?: string;
  readonly shutdownGraceMs: number;
}
