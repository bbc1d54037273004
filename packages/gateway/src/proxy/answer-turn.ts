import type { Clock } from '@holdfast/core';
import type { Random } from '@holdfast/core/guard';
import type { ParserRegistry } from '@holdfast/core/parse';
import type { AdviceSigner } from '../advice/advice-signer.ts';
import type { ProxyConfig } from '../config/gateway-config.ts';
import { requestLimit } from '../http/body-limit.ts';
import type { HttpExchange, HttpHandler } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import type { Captures } from '../observe/captures.ts';
import type { Reporter } from '../observe/reporter.ts';
import type { Operation } from '../telemetry/operation.ts';
import { NO_TELEMETRY } from '../telemetry/telemetry.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { tracedLogger } from '../telemetry/traced-logger.ts';
import { SEARCHED_LENGTH } from '../trace/redact-trace.ts';
import type { TraceWriter } from '../trace/trace-writer.ts';
import { adviseRequest } from './advise/advise-request.ts';
import { CapturingReader } from './capture/capturing-reader.ts';
import type { ClientProtocol, ClientRequest, OwnerOf } from './client-protocol.ts';
import { countTokens } from './count-tokens.ts';
import { countTurn } from './count-turn.ts';
import { restBefore } from './fair-share.ts';
import type { ToolModes } from './prompt/tool-modes.ts';
import type { ReasoningStart, ReasoningStarts } from './reasoning/reasoning-starts.ts';
import type { ProxyCounts } from './proxy-counts.ts';
import { readJsonBody } from './read-json-body.ts';
import type { JsonBody } from './read-json-body.ts';
import { relayTurn } from './relay-turn.ts';
import type { TurnResult } from './relay-turn.ts';
import { responseLimit } from './response-limit.ts';
import { itemOwner } from './responses/item-owner.ts';
import { reportTurn } from './report-turn.ts';
import { requiresCall } from './requires-call.ts';
import { requiresJson } from './requires-json.ts';
import { beginTurn, endTurn, failTurn, watchUpstreams } from './trace-turn.ts';
import { TurnPlanner, accept } from './turn-planner.ts';
import type { TurnPlan } from './turn-plan.ts';
import { TurnReader } from './turn/turn-reader.ts';
import { askUpstreams } from './upstream/ask-upstreams.ts';
import type { Answered, NotAnswered } from './upstream/ask-upstreams.ts';
import { limitHeaders } from './upstream/response-headers.ts';
import type { Candidate, Upstreams } from './upstream/upstreams.ts';

export interface AnswerTurnOptions {
  readonly proxy: ProxyConfig;
  readonly upstreams: Upstreams;
  readonly modes: ToolModes;
  readonly starts: ReasoningStarts;
  readonly counts: ProxyCounts;
  readonly registry: ParserRegistry;
  readonly nextId: () => string;
  readonly clock: Clock;
  readonly random: Random;
  readonly trace?: TraceWriter;
  /** Default: nobody is told. */
  readonly telemetry?: Telemetry;
  /** Told how turns went, for those who watch. */
  readonly report?: Reporter;
  /** Where what was said is kept, while somebody wants that. */
  readonly captures?: Captures;
  /** Knows advice that was signed. Default: none was. */
  readonly signer?: AdviceSigner | undefined;
}

/** Answers requests for turns of one client protocol. */
export function answerTurn(client: ClientProtocol, options: AnswerTurnOptions): HttpHandler {
  const { proxy, clock, upstreams, telemetry = NO_TELEMETRY } = options;
  return async (exchange) => {
    const startedAt = clock.now();
    const came = await readJsonBody(exchange, requestLimit({ proxy }));
    const ownerOf: OwnerOf = (model) => {
      const [first] = upstreams.candidates(model, exchange.redactor.text);
      return itemOwner(exchange.request.headers, first.upstream.config.url);
    };
    await restBefore(came.bytes.length);
    const request = accept(client.read(came.value, proxy.normalise, ownerOf)).request;
    checkToolCount(request);
    await restBefore(came.bytes.length);
    const operation = beginTurn(telemetry, exchange, client, request);
    const log = tracedLogger(exchange.log, operation.context);
    const begun = { exchange: { ...exchange, log }, came, request, ownerOf, operation, startedAt };
    try {
      await operation.run(() => answerBegun(client, options, begun));
    } catch (error) {
      failTurn(operation, error);
      throw error;
    }
  };
}

/** A request for a turn that was read. */
interface BegunTurn {
  readonly exchange: HttpExchange;
  readonly came: JsonBody;
  readonly request: ClientRequest;
  readonly ownerOf: OwnerOf;
  readonly operation: Operation;
  readonly startedAt: number;
}

async function answerBegun(
  client: ClientProtocol,
  options: AnswerTurnOptions,
  { exchange, came, request, ownerOf, operation, startedAt }: BegunTurn,
): Promise<void> {
  const { proxy, upstreams, modes, starts, counts, clock, random } = options;
  const { telemetry = NO_TELEMETRY, captures, signer } = options;
  const captured: CapturingReader[] = [];
  let firstByteMs: number | undefined;
  const advised = proxy.advice
    ? adviseRequest(request.body, client.conversation, {
        ...proxy.advisor,
        // So that the nearest can be named where the model called another.
        toolNames: request.tools.map(({ name }) => name),
        isGiven: (text, callId) => signer?.isSigned(text, callId) ?? false,
      })
    : undefined;
  const isAdvised = advised !== undefined && advised.rules.length > 0;
  await restBefore(came.bytes.length);
  const body = advised?.body ?? request.body;
  const asksAgain = proxy.onInvalid === 'ask-again' && mayBeUnfit(request);
  const found = upstreams.candidates(request.model, exchange.redactor.text);
  const planner = new TurnPlanner(client, exchange, proxy, modes, found[0], came);
  const candidates = planner.withSpeech(found);
  const isStreamed = request.stream && !asksAgain;
  const startOf = ({ upstream, shownModel }: Candidate): ReasoningStart => {
    const start = starts.startFor(upstream.config, shownModel, proxy.startsInReasoning);
    // Where nothing is sent before the turn is complete, holding a call costs nothing.
    const isFree = start.isAssumed && start.startsInReasoning === false && !isStreamed;
    return isFree ? { ...start, startsInReasoning: 'auto' } : start;
  };
  const result = await relayTurn({
    exchange,
    client,
    request: { ...request, body },
    context: { requestId: exchange.id, wallTime: clock.wallTime(), ownerOf },
    ask: async (onAsked, conversation = body) => {
      const asked = { ...request, body: conversation };
      const answered = await askUpstreams({
        candidates,
        plan: (candidate) => planner.plan(candidate, asked),
        replan: (plan, error) => planner.replan(plan, asked, error),
        retry: proxy.retry,
        signal: exchange.signal,
        clock,
        random,
        onAsked,
        watch: watchUpstreams(telemetry, operation, clock),
        onFailure: ({ upstream }, { kind, message }) =>
          exchange.log.info({ upstream: upstream.config.name, kind }, `not answered: ${message}`),
      });
      if (answered.ok) firstByteMs ??= clock.now() - startedAt;
      return answered;
    },
    createReader: ({ candidate, promptedIn }) => {
      const reading = {
        tools: request.tools,
        offeredNames: () => client.offeredNames(request.body),
        model: candidate.model,
        ...(promptedIn !== undefined && { format: promptedIn }),
        ...(proxy.formats !== undefined && { formats: proxy.formats }),
        registry: options.registry,
        callsInReasoning: proxy.callsInReasoning,
        reasoningStart: startOf(candidate),
        bareCalls: proxy.bareCalls && !requiresJson(request.body),
        eager: proxy.eager && isStreamed,
        nextId: options.nextId,
        ...(client.reportsUsage(request) && { estimateInput: () => countTokens(body) }),
      };
      if (captures?.isOn !== true) return new TurnReader(reading);
      const reader = new CapturingReader(reading);
      captured.push(reader);
      return reader;
    },
    headersOf: (asked) => ({
      ...headersOf(asked),
      ...(isAdvised && { 'x-holdfast-advice': advised.rules.join(', ') }),
    }),
    asksAgain,
    keepAliveMs: proxy.keepAliveMs,
    limit: responseLimit(proxy),
    mostTracedText: options.trace === undefined ? 0 : SEARCHED_LENGTH,
    clock,
  });
  endTurn(operation, result, exchange.signal.aborted);
  const { plan } = result;
  if (plan !== undefined) learn(plan, request, result, options);
  const isFailover = plan !== undefined && plan.candidate !== candidates[0];
  countTurn(counts, result, { isFailover, isAdvised });
  const durationMs = clock.now() - startedAt;
  reportTurn(
    {
      exchange,
      client,
      request,
      result,
      advised: isAdvised ? advised : undefined,
      durationMs,
      firstByteMs,
      // The model may have been asked twice.
      captured: captured.find(({ notes }) => notes === result.notes)?.captured,
    },
    options,
  );
}

function checkToolCount({ tools: { length } }: ClientRequest): void {
  if (length <= MOST_TOOLS) return;
  const message = `tools: expected at most ${MOST_TOOLS} tools, got ${length}`;
  throw new RequestError(400, 'invalid-request', message);
}

/** Each is prepared before a response is read; no client offers as many. */
const MOST_TOOLS = 10_000;

/** What the client is told of how its turn was asked for. */
function headersOf({ plan, attempts, headers }: Answered | NotAnswered): Record<string, string> {
  if (plan === undefined) return {};
  const { candidate, translated, promptedIn } = plan;
  return {
    ...limitHeaders(headers),
    'x-holdfast-upstream': candidate.upstream.config.name,
    ...(translated.applied.length > 0 && {
      'x-holdfast-normalised': translated.applied.join(', '),
    }),
    ...(promptedIn !== undefined && { 'x-holdfast-tool-mode': 'prompt' }),
    ...(attempts > 1 && { 'x-holdfast-attempts': String(attempts) }),
  };
}

/** Whether a call may not fit: there are tools, and one answer, of which another can take the place. */
function mayBeUnfit({ tools, body }: ClientRequest): boolean {
  const { n } = body;
  return tools.length > 0 && (typeof n !== 'number' || n === 1);
}

/** An answer shows whether the model knows of its tools. */
function learn(
  plan: TurnPlan,
  request: ClientRequest,
  result: TurnResult,
  { modes, starts }: AnswerTurnOptions,
): void {
  const { record, notes } = result;
  // One that was cut may have been on its way to a call.
  const isWhole = record.finish === 'stop' || record.finish === 'tool-calls';
  if (!isWhole) return;
  const { upstream, shownModel } = plan.candidate;
  if (notes.start !== undefined) starts.learn(upstream.config, shownModel, notes.start);
  if (plan.promptedIn !== undefined) return;
  modes.answered(upstream.config, shownModel, {
    tools: request.tools,
    usage: record.measuredUsage,
    callCount: notes.callCount,
    isCallRequired: requiresCall(plan.translated.body),
  });
}
