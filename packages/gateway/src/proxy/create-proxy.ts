import { randomBytes } from 'node:crypto';
import type { Clock, JsonObject } from '@holdfast/core';
import { formatGuardEvent } from '@holdfast/core/guard';
import type { CircuitBreaker, CircuitFleet, GuardEvent, Random } from '@holdfast/core/guard';
import { createDefaultRegistry } from '@holdfast/core/parse';
import type { AdviceSigner } from '../advice/advice-signer.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { EnlistCircuits } from '../fleet/isolations.ts';
import { requestLimit } from '../http/body-limit.ts';
import type { Route } from '../http/http-exchange.ts';
import type { Logger } from '../log/logger.ts';
import type { Captures } from '../observe/captures.ts';
import type { Reporter } from '../observe/reporter.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { TraceWriter } from '../trace/trace-writer.ts';
import { answerTurn } from './answer-turn.ts';
import { chatProtocol } from './chat/chat-protocol.ts';
import { answerCountTokens } from './answer-count-tokens.ts';
import { createMessagesProtocol } from './messages/messages-protocol.ts';
import { answerModels } from './answer-models.ts';
import { passThrough } from './pass-through.ts';
import { ToolModes } from './prompt/tool-modes.ts';
import type { ReasoningStarts } from './reasoning/reasoning-starts.ts';
import type { ProxyCounts } from './proxy-counts.ts';
import { proxyStatus } from './proxy-status.ts';
import type { ItemMemory } from './responses/item-memory.ts';
import { createResponsesProtocol } from './responses/responses-protocol.ts';
import { Upstreams } from './upstream/upstreams.ts';

export interface ProxyOptions {
  /** What was counted before, to be counted on. */
  readonly counts: ProxyCounts;
  /** What answers held, for clients that name it by its ids. */
  readonly items: ItemMemory;
  /** What was learned of where models begin to answer. */
  readonly starts: ReasoningStarts;
  readonly config: GatewayConfig;
  readonly log: Logger;
  readonly clock: Clock;
  /** Default: Math.random. */
  readonly random?: Random;
  readonly trace?: TraceWriter;
  /** Default: nobody is told. */
  readonly telemetry?: Telemetry;
  /** Shares circuits with other gateways. Default: nobody. */
  readonly fleet?: CircuitFleet | undefined;
  /** Lets a person isolate circuits that were not used yet. Default: nobody. */
  readonly enlist?: EnlistCircuits | undefined;
  /** Told what happens, for those who watch. Default: nobody. */
  readonly report?: Reporter;
  /** Where what was said is kept, while somebody wants that. Default: nowhere. */
  readonly captures?: Captures;
  /** Knows advice that was signed. Default: none was. */
  readonly signer?: AdviceSigner | undefined;
}

/** The model proxy: what it answers, and what it holds until it is closed. */
export interface Proxy {
  readonly routes: readonly Route[];
  /** Circuits, what was learned of models, and counts. No secret is in it. */
  status(): JsonObject;
  /** Of all upstreams and their models. */
  circuits(): readonly CircuitBreaker[];
  close(): Promise<void>;
}

/** Makes the proxy that a configuration describes. */
export function createProxy(options: ProxyOptions): Proxy {
  const {
    config,
    clock,
    counts,
    items,
    starts,
    random = Math.random,
    log,
    trace,
    telemetry,
  } = options;
  const { report, captures, fleet, enlist, signer } = options;
  const { proxy } = config;
  const upstreams = new Upstreams(config.upstreams, {
    clock,
    random,
    onEvent: (event) => {
      logCircuit(event, log);
      report?.tell(event);
    },
    ...(fleet !== undefined && { fleet }),
    enlist,
    ...(report !== undefined && { onSettled: (circuit) => report.settled(circuit) }),
  });
  const modes = new ToolModes();
  const turns = {
    proxy,
    upstreams,
    modes,
    starts,
    counts,
    registry: createDefaultRegistry(),
    nextId: newCallId,
    clock,
    random,
    ...(trace !== undefined && { trace }),
    ...(telemetry !== undefined && { telemetry }),
    ...(report !== undefined && { report }),
    ...(captures !== undefined && { captures }),
    signer,
  };
  const models = answerModels(upstreams, clock);
  const routes: Route[] = [
    { method: 'POST', path: '/v1/chat/completions', handle: answerTurn(chatProtocol, turns) },
    {
      method: 'POST',
      path: '/v1/responses',
      handle: answerTurn(createResponsesProtocol(newId, items), turns),
    },
    {
      method: 'POST',
      path: '/v1/messages',
      handle: answerTurn(
        createMessagesProtocol(() => newId('msg_')),
        turns,
      ),
    },
    {
      method: 'POST',
      path: '/v1/messages/count_tokens',
      handle: answerCountTokens(requestLimit(config)),
    },
    { method: 'GET', path: '/v1/models', handle: models },
    { method: 'GET', path: '/v1/models/*', handle: models },
    {
      method: '*',
      path: '/v1/*',
      bodies: 'any',
      handle: passThrough(upstreams, requestLimit(config)),
    },
  ];
  return {
    routes,
    status: () => proxyStatus(upstreams, modes, starts, counts),
    circuits: () => upstreams.all.flatMap(({ guard }) => guard.circuits),
    close: () => upstreams.close(),
  };
}

function logCircuit(event: GuardEvent, log: Logger): void {
  const line = formatGuardEvent(event);
  if (event.type === 'circuit-opened') log.warn({ circuit: event.circuit }, line);
  else if (event.type === 'circuit-closed') log.info({ circuit: event.circuit }, line);
  else log.debug({}, line);
}

function newCallId(): string {
  return newId('call_');
}

function newId(prefix: string): string {
  return prefix + randomBytes(12).toString('hex');
}
