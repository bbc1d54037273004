import type {
  CallEnded,
  GatewayEvent,
  ObservedEvent,
  TurnEnded,
} from '../observe/gateway-event.ts';

/** An event as the observer tells it. */
export function observed(event: GatewayEvent, at = 0): ObservedEvent {
  return { seq: 1, at, source: 'proxy', event };
}

export function turn(given: Partial<TurnEnded> = {}): TurnEnded {
  return {
    type: 'turn-ended',
    id: 'req_1',
    protocol: 'chat',
    model: 'qwen3-coder',
    upstream: 'local',
    status: 200,
    isStream: true,
    tools: 2,
    calls: [{ name: 'read_file' }],
    formats: ['qwen'],
    repairs: ['missing-brace'],
    issues: [],
    normalised: [],
    promptedIn: undefined,
    advice: [],
    wasAskedAgain: false,
    attempts: 1,
    finish: 'tool_calls',
    durationMs: 812,
    firstByteMs: 90,
    inputTokens: 120,
    outputTokens: 31,
    error: undefined,
    isAborted: false,
    ...given,
  };
}

export function failedCall(given: Partial<CallEnded> = {}): CallEnded {
  return {
    type: 'call-ended',
    id: 'req_2',
    server: 'payments',
    tool: 'pay',
    outcome: 'failed',
    class: 'server',
    failureType: 'network',
    message: 'HTTP 503',
    attempts: 3,
    durationMs: 1500,
    repairs: [],
    advice: 'Do not call it again.',
    ...given,
  };
}

export function opened(circuit: string): GatewayEvent {
  return {
    type: 'circuit-opened',
    circuit,
    from: 'half-open',
    reason: 'probe_failed',
    failures: 1,
    openForMs: 60_000,
  };
}
