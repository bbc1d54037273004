import type { ObservedEvent, TurnEnded } from '../observe/gateway-event.ts';
import { FIRST_TOKEN_SECONDS, GEN_AI_SECONDS, TOKENS } from './buckets.ts';
import type { MetricRegistry } from './metric-registry.ts';

const OF_TURN = ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model'] as const;

/** What turns of models through the proxy come to. */
export function turnMetrics(registry: MetricRegistry): (observed: ObservedEvent) => void {
  const duration = registry.histogram(
    {
      name: 'gen_ai_server_request_duration_seconds',
      help: 'How long clients of the proxy waited for the end of a turn.',
      labels: [...OF_TURN, 'error_type'],
    },
    GEN_AI_SECONDS,
  );
  const firstToken = registry.histogram(
    {
      name: 'gen_ai_server_time_to_first_token_seconds',
      help: 'How long it took from a request for a turn to the first byte of the answer of an upstream.',
      labels: OF_TURN,
    },
    FIRST_TOKEN_SECONDS,
  );
  const tokens = registry.histogram(
    {
      name: 'gen_ai_client_token_usage',
      help: 'Tokens of a turn, as far as the upstream tells.',
      labels: [...OF_TURN, 'gen_ai_token_type'],
    },
    TOKENS,
  );
  const turns = registry.counter({
    name: 'holdfast_turns_total',
    help: 'Turns that are over, by how: ok, failed, or aborted where the client went away.',
    labels: ['protocol', 'model', 'outcome'],
  });
  const askedAgain = registry.counter({
    name: 'holdfast_turns_asked_again_total',
    help: 'Turns in which the model was asked once more, because a call did not fit.',
    labels: ['model'],
  });
  const calls = registry.counter({
    name: 'holdfast_turn_calls_total',
    help: 'Tool calls that clients of the proxy were told of.',
    labels: ['model'],
  });
  const parsed = registry.counter({
    name: 'holdfast_parse_turns_total',
    help: 'Turns that went well, by the format of their calls and what was read: calls, partly, unread, or text where there were none.',
    labels: ['model', 'format', 'result'],
  });
  const repairs = registry.counter({
    name: 'holdfast_parse_repairs_total',
    help: 'Turns in which a call was mended, by what was mended.',
    labels: ['repair'],
  });
  const issues = registry.counter({
    name: 'holdfast_parse_issues_total',
    help: 'What looked like a call and could not be read, and the like, by its code.',
    labels: ['model', 'code'],
  });

  function count(turn: TurnEnded): void {
    const { protocol } = turn;
    const model = registry.modelLabel(turn.model, turn.error?.kind);
    const of = {
      gen_ai_operation_name: 'chat',
      gen_ai_provider_name: turn.upstream,
      gen_ai_request_model: model,
    };
    const error_type = turn.error?.kind ?? (turn.isAborted ? 'cancelled' : undefined);
    duration.observe({ ...of, error_type }, turn.durationMs / 1000);
    if (turn.firstByteMs !== undefined) firstToken.observe(of, turn.firstByteMs / 1000);
    countTokens('input', turn.inputTokens);
    countTokens('output', turn.outputTokens);
    turns.add({ protocol, model, outcome: outcomeOf(turn) });
    if (turn.wasAskedAgain) askedAgain.add({ model });
    calls.add({ model }, turn.calls.length);
    // Of a turn that failed or was taken back nobody knows what it would have said.
    if (outcomeOf(turn) === 'ok') countParsing(turn);

    function countTokens(gen_ai_token_type: string, count: number | undefined): void {
      if (count !== undefined) tokens.observe({ ...of, gen_ai_token_type }, count);
    }
  }

  function countParsing(turn: TurnEnded): void {
    const { model, formats } = turn;
    const result = resultOf(turn);
    for (const format of formats) parsed.add({ model, format, result });
    if (formats.length === 0) parsed.add({ model, format: undefined, result });
    for (const repair of turn.repairs) repairs.add({ repair });
    for (const { code } of turn.issues) issues.add({ model, code });
  }

  return ({ event }) => {
    if (event.type === 'turn-ended') count(event);
  };
}

function outcomeOf({ error, isAborted }: TurnEnded): string {
  if (error !== undefined) return 'failed';
  return isAborted ? 'aborted' : 'ok';
}

function resultOf({ calls, issues }: TurnEnded): string {
  if (calls.length > 0) return issues.length > 0 ? 'partly' : 'calls';
  return issues.length > 0 ? 'unread' : 'text';
}
