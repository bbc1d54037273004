import { randomBytes } from 'node:crypto';
import type { Clock } from '@holdfast/core';
import { createDefaultRegistry } from '@holdfast/core/parse';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Route } from '../http/http-exchange.ts';
import type { Logger } from '../log/logger.ts';
import type { TraceWriter } from '../trace/trace-writer.ts';
import { answerTurn } from './answer-turn.ts';
import { chatProtocol } from './chat/chat-protocol.ts';
import { answerCountTokens } from './answer-count-tokens.ts';
import { createMessagesProtocol } from './messages/messages-protocol.ts';
import { answerModels } from './answer-models.ts';
import { passThrough } from './pass-through.ts';
import { Upstreams } from './upstream/upstreams.ts';

export interface ProxyOptions {
  readonly config: GatewayConfig;
  readonly log: Logger;
  readonly clock: Clock;
  readonly trace?: TraceWriter;
}

/** The model proxy: what it answers, and what it holds until it is closed. */
export interface Proxy {
  readonly routes: readonly Route[];
  close(): Promise<void>;
}

/** Makes the proxy that a configuration describes. */
export function createProxy({ config, clock, trace }: ProxyOptions): Proxy {
  const { proxy } = config;
  const upstreams = new Upstreams(config.upstreams);
  const options = {
    proxy,
    upstreams,
    registry: createDefaultRegistry(),
    nextId: newCallId,
    clock,
    ...(trace !== undefined && { trace }),
  };
  const chat = answerTurn(chatProtocol, options);
  const messages = answerTurn(createMessagesProtocol(newMessageId), options);
  const models = answerModels(upstreams);
  const routes: Route[] = [
    { method: 'POST', path: '/v1/chat/completions', handle: chat },
    { method: 'POST', path: '/v1/messages', handle: messages },
    {
      method: 'POST',
      path: '/v1/messages/count_tokens',
      handle: answerCountTokens(proxy.maxRequestBytes),
    },
    { method: 'GET', path: '/v1/models', handle: models },
    { method: 'GET', path: '/v1/models/*', handle: models },
    {
      method: '*',
      path: '/v1/*',
      bodies: 'any',
      handle: passThrough(upstreams, proxy.maxRequestBytes),
    },
  ];
  return { routes, close: () => upstreams.close() };
}

function newCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`;
}

function newMessageId(): string {
  return `msg_${randomBytes(12).toString('hex')}`;
}
