/** A client of the official SDK, of whatever version, as far as tests use it. */
export interface McpTestClient {
  /** The protocol revision that was agreed on. */
  readonly revision: string | undefined;
  readonly heard: HeardByClient;
  readonly listTools: () => Promise<readonly { readonly name: string }[]>;
  /** Reports what it hears of progress in `heard`. */
  readonly callTool: (
    name: string,
    args?: Record<string, unknown>,
    signal?: AbortSignal,
    /** How long the client waits. */
    timeoutMs?: number,
  ) => Promise<CalledTool>;
  readonly readResource: (uri: string) => Promise<unknown>;
  readonly getPrompt: (name: string, args?: Record<string, string>) => Promise<unknown>;
  readonly complete: (
    prompt: string,
    argument: string,
    value: string,
  ) => Promise<readonly string[]>;
  /** Asks to be told when tools change. */
  readonly watchTools: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What a tool answered. */
export interface CalledTool {
  readonly content: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** What a server asked or told a client, in order. */
export interface HeardByClient {
  readonly progress: number[];
  readonly logged: unknown[];
  readonly asked: string[];
  toolChanges: number;
}

/** How to reach a server: what to start with Node, or where it is. */
export type McpAddress = { readonly start: readonly string[] } | { readonly url: string };

/** Nothing heard yet. */
export const nothingHeard = (): HeardByClient => ({
  progress: [],
  logged: [],
  asked: [],
  toolChanges: 0,
});

/** What clients of tests can be asked for. */
export const testCapabilities = { sampling: {}, elicitation: {}, roots: {} };

/** What they answer. */
export const testAnswers = {
  elicitation: {
    action: 'accept' as const,
    content: { username: 'ada', email: 'ada@example.com', name: 'Ada', color: 'green' },
  },
  sampling: {
    role: 'assistant' as const,
    content: { type: 'text' as const, text: 'A model said this' },
    model: 'scripted',
  },
  roots: { roots: [{ uri: 'file:///work', name: 'work' }] },
};
