import { classify } from '@holdfast/core/advise';
import type { Advice } from '@holdfast/core/advise';
import type { Failure } from '@holdfast/core/guard';
import type { CallEnded } from '../../observe/gateway-event.ts';
import type { CheckedArguments } from './check-arguments.ts';
import { describeFailure } from './describe-end.ts';
import { countedName } from './tool-request.ts';
import type { ToolRequest } from './tool-request.ts';

/** A call that is over. */
export interface EndedCall {
  readonly request: ToolRequest;
  readonly checked: CheckedArguments;
  /** Undefined where it succeeded. */
  readonly failure: Failure | undefined;
  /** 0 where it was not sent. */
  readonly attempts: number;
  readonly durationMs: number;
  readonly advice: Advice | undefined;
}

const NONE: readonly string[] = Object.freeze([]);

/** What those who watch are told of a call, with its texts as they came. Written out: every call pays for it. */
export function callEnded(call: EndedCall): CallEnded {
  const { request, checked, failure, attempts, durationMs, advice } = call;
  const isGood = failure === undefined;
  return {
    type: 'call-ended',
    id: request.id,
    server: request.server.name,
    tool: countedName(request),
    outcome: isGood ? 'ok' : attempts > 0 ? 'failed' : 'refused',
    class: failure?.class,
    failureType: isGood ? undefined : typeOf(request.shownName, failure),
    message: failure?.message,
    attempts,
    durationMs,
    repairs: checked.ok && checked.repairs.length > 0 ? repairsOf(checked.repairs) : NONE,
    advice: advice?.text,
    adviceRules: advice === undefined ? NONE : advice.parts.map(({ rule }) => rule),
  };
}

function typeOf(tool: string, failure: Failure): string | undefined {
  return classify({ tool, ...describeFailure(failure) }).type;
}

/** What was set right, without where. */
function repairsOf(repairs: readonly { readonly repair: string }[]): readonly string[] {
  return [...new Set(repairs.map(({ repair }) => repair))];
}
