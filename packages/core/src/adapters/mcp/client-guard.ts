import { Advisor } from '../../advise/advisor.ts';
import { isRecord, recordsIn, textIn } from '../../advise/conversation/record.ts';
import type { UnknownRecord } from '../../advise/conversation/record.ts';
import type { ToolAnnotations } from '../../call/tool.ts';
import type { WatchedAttempt } from '../../guard/attempt-watch.ts';
import type { JsonObject } from '../../types.ts';
import { callFunction, isFunction } from '../guarding/call-function.ts';
import { GUARD_CLIENT_DEFAULTS } from './guard-client-options.ts';
import type { AskedCall, GuardClientOptions } from './guard-client-options.ts';
import { McpGuard } from './mcp-guard.ts';
import type { McpTool } from './mcp-guard.ts';

/** Asks the server: with arguments, and with options of the SDK. */
export type AskServer = (args: JsonObject, options: UnknownRecord) => Promise<unknown>;

/** A server that lists new tools for ever must not fill the memory. */
const MOST_TOOLS = 10_000;

/** Our limits are to end a call, not those of the SDK, which do not count against a circuit. */
const MARGIN_MS = 5_000;
const LONGEST_MS = 2_147_483_647;

/** What a guarded client knows and does. */
export class ClientGuard {
  readonly #options: GuardClientOptions & typeof GUARD_CLIENT_DEFAULTS;
  readonly #nameServer: () => string;
  readonly #guard: McpGuard;
  readonly #advisor: Exclude<GuardClientOptions['advisor'], undefined>;
  readonly #tools = new Map<string, McpTool>();

  constructor(options: GuardClientOptions, nameServer: () => string) {
    this.#options = { ...GUARD_CLIENT_DEFAULTS, ...options };
    this.#nameServer = nameServer;
    this.#guard = new McpGuard(options);
    this.#advisor = options.advisor ?? new Advisor();
    this.learn({ tools: options.tools ?? [] }, true);
  }

  /** A page of tools was listed; a first page takes the place of all that was known. */
  learn(page: unknown, isFirst: boolean): void {
    if (isFirst) this.#tools.clear();
    for (const listed of recordsIn(isRecord(page) ? page['tools'] : undefined)) {
      const name = textIn(listed['name']);
      if (name === undefined || this.#tools.size >= MOST_TOOLS) continue;
      this.#tools.set(name, this.#toolOf(name, listed));
    }
  }

  /** Makes a call. `given` are the options that the caller has for the SDK. */
  call(asked: AskedCall, given: UnknownRecord, ask: AskServer): Promise<unknown> {
    const { signal, timeout, maxTotalTimeout } = given;
    const { maxDurationMs } = this.#options;
    const sdkTimeoutMs = Math.min(maxDurationMs + MARGIN_MS, LONGEST_MS);
    return this.#guard.run({
      tool: this.#tools.get(asked.name) ?? this.#toolOf(asked.name, {}),
      arguments: (asked.arguments ?? {}) as JsonObject,
      signal: signal instanceof AbortSignal ? signal : undefined,
      advisor: this.#advisorOf(asked),
      idleMs: typeof timeout === 'number' ? timeout : undefined,
      maxDurationMs: typeof maxTotalTimeout === 'number' ? maxTotalTimeout : undefined,
      work: (args, attempt) =>
        ask(args, {
          ...given,
          signal: attempt.signal,
          onprogress: progressOf(given, attempt),
          timeout: sdkTimeoutMs,
          maxTotalTimeout: sdkTimeoutMs,
        }),
    });
  }

  /** The client's user is asked something by the server. */
  holdWhile<T>(asking: () => T | Promise<T>): Promise<T> {
    return this.#guard.holdWhile(asking);
  }

  #advisorOf(asked: AskedCall): Advisor | undefined {
    if (this.#advisor === false) return undefined;
    return this.#advisor instanceof Advisor ? this.#advisor : this.#advisor(asked);
  }

  #toolOf(name: string, { inputSchema, annotations }: UnknownRecord): McpTool {
    const { check, trustAnnotations, idempotentTools = [], server } = this.#options;
    return {
      name,
      server: () => server ?? this.#nameServer(),
      parameters: check && isRecord(inputSchema) ? (inputSchema as JsonObject) : undefined,
      annotations: {
        ...(trustAnnotations && isRecord(annotations) ? hintsIn(annotations) : {}),
        ...(idempotentTools.includes(name) && { idempotentHint: true }),
      },
    };
  }
}

function hintsIn({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
}: UnknownRecord): ToolAnnotations {
  // What contradicts itself is not believed; the options may still say that it is idempotent.
  if (readOnlyHint === true && destructiveHint === true) return { destructiveHint };
  return {
    ...(readOnlyHint === true && { readOnlyHint }),
    ...(idempotentHint === true && { idempotentHint }),
  };
}

/** Progress is told to the caller, and shows life unless the caller said that it should not. */
function progressOf(given: UnknownRecord, { touch }: WatchedAttempt): (progress: unknown) => void {
  const { onprogress, resetTimeoutOnProgress } = given;
  return (progress) => {
    if (resetTimeoutOnProgress !== false) touch();
    if (isFunction(onprogress)) callFunction(onprogress, undefined, [progress]);
  };
}
