import { Agent, request } from 'undici';
import type { Clock } from '@holdfast/core';
import type { UpstreamProtocol } from '../config/gateway-config.ts';
import { readBounded } from '../proxy/read-bounded.ts';
import { readAskFailure } from './ask-failure.ts';
import type { AskFailure } from './ask-failure.ts';

/** An answer, or why there is none. */
export type Asked =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly ms: number;
    }
  | { readonly ok: false; readonly failure: AskFailure; readonly ms: number };

export interface AskOptions {
  /** For the whole answer. */
  readonly timeoutMs: number;
  readonly body?: object;
  /** Each family of servers looks for its key in a header of its own. Default: chat. */
  readonly protocol?: UpstreamProtocol;
}

const CONNECT_TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Asks servers, one request at a time, and never for longer than it is told. */
export class DoctorClient {
  readonly #agent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS } });
  readonly #apiKey: string | undefined;
  readonly #clock: Clock;

  constructor(apiKey: string | undefined, clock: Clock) {
    this.#apiKey = apiKey;
    this.#clock = clock;
  }

  /** `GET`, or `POST` where there is a body. Never rejects. */
  async ask(url: string, { timeoutMs, body, protocol = 'chat' }: AskOptions): Promise<Asked> {
    const from = this.#clock.now();
    const passed = (): number => Math.round(this.#clock.now() - from);
    const patience = new AbortController();
    const cancel = this.#clock.setTimer(() => patience.abort(), timeoutMs);
    try {
      const answer = await request(url, {
        method: body === undefined ? 'GET' : 'POST',
        headers: this.#headers(body !== undefined, protocol),
        body: body === undefined ? null : JSON.stringify(body),
        dispatcher: this.#agent,
        signal: patience.signal,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      const text = await readBounded(answer.body, MAX_ANSWER_BYTES, 'cut');
      const headers = Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
      );
      return { ok: true, status: answer.statusCode, headers, body: text, ms: passed() };
    } catch (error) {
      const failure: AskFailure = patience.signal.aborted
        ? { kind: 'timeout', message: `no whole answer came within ${timeoutMs / 1000} s` }
        : readAskFailure(error);
      return { ok: false, failure, ms: passed() };
    } finally {
      cancel();
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #headers(hasBody: boolean, protocol: UpstreamProtocol): Record<string, string> {
    const isMessages = protocol === 'messages';
    return {
      accept: 'application/json, text/event-stream',
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...(isMessages ? { 'anthropic-version': '2023-06-01' } : {}),
      ...(this.#apiKey === undefined ? {} : { authorization: `Bearer ${this.#apiKey}` }),
      ...(this.#apiKey === undefined || !isMessages ? {} : { 'x-api-key': this.#apiKey }),
    };
  }
}
