import { argumentsJson } from './arguments-text.ts';
import type { ParseEvent } from './parse-event.ts';
import type { ParseResult } from './parse-result.ts';

/** Tells a whole result as the events a stream would have told. */
export function replayResult(result: ParseResult, onEvent: (event: ParseEvent) => void): void {
  let index = 0;
  for (const segment of result.segments) {
    switch (segment.type) {
      case 'text':
        onEvent({ type: 'text-delta', text: segment.raw });
        break;
      case 'reasoning':
        onEvent({ type: 'reasoning-delta', text: segment.text, raw: segment.raw });
        break;
      case 'markup':
        onEvent({ type: 'markup', raw: segment.raw });
        break;
      case 'calls':
        for (const [at, call] of segment.calls.entries()) {
          const { id, name, format } = call;
          onEvent({ type: 'call-start', index, id, name, format });
          onEvent({ type: 'call-delta', index, id, fragment: argumentsJson(call) });
          onEvent({ type: 'call-end', index, call, raw: at === 0 ? segment.raw : '' });
          index++;
        }
        break;
    }
  }
  for (const issue of result.issues) onEvent({ type: 'issue', issue });
}
