/** What the gateway's own API answers; `GET /api/v1/openapi.json` tells the same. Times are ISO 8601. */

export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

export interface Totals {
  readonly turns: number;
  readonly turns_failed: number;
  readonly turns_refused: number;
  readonly calls: number;
  readonly calls_failed: number;
  readonly calls_refused: number;
  readonly repairs: number;
  readonly retries: number;
  readonly timeouts: number;
  readonly advice: number;
  readonly loops: number;
  readonly unread_calls: number;
}

export interface SeriesPoint {
  readonly at: string;
  readonly turns: number;
  readonly turns_failed: number;
  readonly turns_refused: number;
  readonly calls: number;
  readonly calls_failed: number;
  readonly calls_refused: number;
  readonly turn_p50: number | null;
  readonly turn_p95: number | null;
  readonly turn_p99: number | null;
  readonly call_p50: number | null;
  readonly call_p95: number | null;
  readonly call_p99: number | null;
}

export interface Overview {
  readonly since: string;
  /** How long one point of the series is. */
  readonly slot_seconds: number;
  readonly totals: Totals;
  readonly latency_ms: { readonly turns: Percentiles; readonly calls: Percentiles };
  readonly series: readonly SeriesPoint[];
}

export interface McpServer {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse';
  /** `waiting`: it is lost, and tried again by itself. */
  readonly state: 'new' | 'connecting' | 'connected' | 'waiting' | 'closed';
  readonly since: string;
  readonly last_error: { readonly at: string; readonly message: string } | null;
  readonly tools: number;
  readonly reconnects: number;
}

export type CircuitState = 'closed' | 'open' | 'half_open';

export interface CircuitTransition {
  readonly at: string;
  readonly from: CircuitState;
  readonly to: CircuitState;
  readonly reason: string;
  readonly note?: string | null;
  readonly replica?: string | null;
}

export interface Circuit {
  readonly name: string;
  readonly of: 'proxy' | 'mcp' | 'sidecar';
  readonly state: CircuitState;
  readonly is_isolated: boolean;
  /** Null where it stays open until it is reset. */
  readonly retry_after_seconds: number | null;
  readonly open_until: string | null;
  readonly reason: string | null;
  readonly note: string | null;
  readonly since: string | null;
  readonly window: {
    readonly calls: number;
    readonly failures: number;
    /** Null where the circuit does not tell. */
    readonly slow: number | null;
  };
  readonly consecutive_failures: number;
  /** One letter for each of the last outcomes, oldest first: s success, f failure, r refused, i ignored. */
  readonly outcomes: string;
  readonly metrics: {
    readonly total_calls: number;
    readonly successes: number;
    readonly failures: number;
    readonly rejections: number;
    readonly ignored: number;
  };
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly history?: readonly CircuitTransition[];
  readonly fleet?: {
    readonly state: CircuitState;
    readonly version: number;
    readonly replica: string | null;
    readonly calls: number;
    readonly failures: number;
  } | null;
}

export interface TurnIssue {
  readonly code: string;
  readonly message: string;
}

export interface Turn {
  readonly seq: number;
  readonly at: string;
  readonly id: string;
  readonly protocol: string;
  readonly model: string;
  readonly upstream?: string | null;
  readonly status: number;
  readonly is_stream: boolean;
  readonly tools: number;
  readonly calls: readonly { readonly name: string }[];
  readonly formats: readonly string[];
  readonly repairs: readonly string[];
  readonly issues: readonly TurnIssue[];
  readonly normalised: readonly string[];
  readonly prompted_in?: string | null;
  readonly advice: readonly string[];
  readonly was_asked_again: boolean;
  readonly attempts: number;
  readonly finish?: string | null;
  readonly duration_ms: number;
  readonly first_byte_ms?: number | null;
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly error?: { readonly kind: string; readonly message: string } | null;
  readonly is_aborted: boolean;
  readonly has_capture?: boolean;
}

export type ToldPart =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly arguments: unknown;
      readonly format?: string | null;
      readonly repairs: readonly string[];
    };

export interface Capture {
  readonly raw: string;
  /** What it reasoned, where the upstream tells that apart. */
  readonly raw_reasoning?: string;
  readonly told: readonly ToldPart[];
  readonly prompt?: unknown;
  readonly is_masked: boolean;
  /** More was said than is kept. */
  readonly is_cut?: boolean;
}

export interface TurnWithCapture extends Turn {
  readonly capture: Capture | null;
  /** Of how many requests it is kept what was said; 0 while that is off. */
  readonly captured_requests: number;
}

export interface ModelParsing {
  readonly model: string;
  readonly turns: number;
  readonly calls: number;
  readonly formats: Readonly<Record<string, number>>;
  readonly repairs: Readonly<Record<string, number>>;
  readonly unread: number;
}

export interface UnreadCall {
  readonly at: string;
  readonly request_id: string;
  readonly model: string;
  readonly code: string;
  readonly message: string;
  readonly text: string | null;
}

export interface Parsing {
  readonly models: readonly ModelParsing[];
  readonly repairs: Readonly<Record<string, number>>;
  readonly unread: readonly UnreadCall[];
}

export interface CallRecord {
  readonly seq: number;
  readonly at: string;
  readonly id: string;
  readonly server?: string | null;
  readonly tool: string;
  readonly outcome: 'ok' | 'failed' | 'refused';
  readonly class?: string | null;
  readonly failure_type?: string | null;
  readonly message?: string | null;
  readonly attempts: number;
  readonly duration_ms?: number | null;
  readonly repairs: readonly string[];
  readonly advice?: string | null;
}

export interface ToolStatistics {
  readonly server: string | null;
  readonly tool: string;
  readonly calls: number;
  readonly ok: number;
  readonly failed: number;
  readonly refused: number;
  readonly success_rate: number | null;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly classes: Readonly<Record<string, number>>;
  readonly types: Readonly<Record<string, number>>;
  readonly last_failure: CallRecord | null;
  readonly loops: number;
}

export interface Replica {
  readonly id: string;
  readonly is_self: boolean;
  readonly version?: string | null;
  readonly started_at?: string | null;
  readonly circuits?: number | null;
  readonly calls?: number | null;
  readonly failures?: number | null;
  readonly not_closed?: number | null;
}

export interface Replicas {
  readonly store: {
    readonly kind: string;
    readonly is_degraded: boolean;
    readonly reason?: string | null;
  } | null;
  readonly replicas: readonly Replica[];
}

export interface ExplainStep {
  readonly parser: string;
  readonly offset: number;
  readonly opening: string;
  readonly decision: 'call' | 'markup' | 'not-a-call' | 'skipped';
  readonly detail: string;
  readonly repairs: readonly string[];
}

export interface ReadCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly format: string;
  readonly repairs: readonly string[];
  readonly complete: boolean;
  readonly lossy: boolean;
}
