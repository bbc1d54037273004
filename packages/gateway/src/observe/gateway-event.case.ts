import type { CallEnded, TurnEnded } from './gateway-event.ts';

/** A call that went well, but for what a test says of it. */
export function callEnded(changed: Partial<CallEnded> = {}): CallEnded {
  return {
    type: 'call-ended',
    id: 'call-1',
    server: 'shop',
    tool: 'pay',
    outcome: 'ok',
    class: undefined,
    failureType: undefined,
    message: undefined,
    attempts: 1,
    durationMs: 10,
    repairs: [],
    advice: undefined,
    ...changed,
  };
}

/** A turn that went well, but for what a test says of it. */
export function turnEnded(changed: Partial<TurnEnded> = {}): TurnEnded {
  return {
    type: 'turn-ended',
    id: 'turn-1',
    protocol: 'chat',
    model: 'qwen3',
    upstream: 'lm',
    status: 200,
    isStream: true,
    tools: 2,
    calls: [],
    formats: [],
    repairs: [],
    issues: [],
    normalised: [],
    promptedIn: undefined,
    advice: [],
    wasAskedAgain: false,
    attempts: 1,
    finish: 'stop',
    durationMs: 100,
    firstByteMs: 50,
    inputTokens: 10,
    outputTokens: 5,
    error: undefined,
    isAborted: false,
    ...changed,
  };
}
