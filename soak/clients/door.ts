import { Agent, request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Violations } from '../invariants/violations.ts';
import type { Windows } from '../invariants/windows.ts';

/** A request to the gateway. */
export interface Asked {
  /** For people: what asks, and for what. */
  readonly what: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** When an answer has to be there, all of it. */
  readonly withinMs: number;
  /** How many bytes of the answer are read before the client goes away. */
  readonly goesAfter?: number;
  /** A client that reads slowly waits so long before each chunk. */
  readonly readPauseMs?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly ms: number;
}

/** The client itself has gone away. */
export class WentAway extends Error {
  override name = 'WentAway';
}

/**
 * How clients reach the gateway. Every request is answered within its time, or its connection was turned away while
 * the gateway had no file descriptors left: everything else is a violation.
 */
export class Door {
  readonly #url: URL;
  readonly #violations: Violations;
  /** When the gateway was short of file descriptors. */
  readonly #cramped: Windows;
  #agent = newAgent();
  #open = 0;
  #mostOpen = 0;
  #answers = 0;
  #turnedAway = 0;

  constructor(url: string, violations: Violations, cramped: Windows) {
    this.#url = new URL(url);
    this.#violations = violations;
    this.#cramped = cramped;
  }

  /** Requests without an answer as of now. */
  get open(): number {
    return this.#open;
  }

  /** The most of them that there were at once. */
  get mostOpen(): number {
    return this.#mostOpen;
  }

  get answers(): number {
    return this.#answers;
  }

  /** Connections that were broken while there were no file descriptors. */
  get turnedAway(): number {
    return this.#turnedAway;
  }

  /** The answer; undefined where there is none and that was judged. */
  async ask(asked: Asked): Promise<Answer | undefined> {
    const from = performance.now();
    this.#open++;
    this.#mostOpen = Math.max(this.#mostOpen, this.#open);
    try {
      const answer = await this.#send(asked);
      this.#answers++;
      this.#violations.check('answered', true, () => '');
      return answer;
    } catch (error) {
      if (error instanceof WentAway) return undefined;
      const why = error instanceof Error ? error.message : String(error);
      const isCramped = !(error instanceof TooLate) && this.#cramped.touches(from);
      if (isCramped) this.#turnedAway++;
      const ms = Math.round(performance.now() - from);
      this.#violations.check('answered', isCramped, () => `${asked.what}: ${why} after ${ms} ms`);
      return undefined;
    } finally {
      this.#open--;
    }
  }

  /** Closes connections that nobody uses, so that handles can be counted. */
  hangUp(): void {
    this.#agent.destroy();
    this.#agent = newAgent();
  }

  /** Opens a stream that does not end by itself. Rejects where it is not let in. */
  listen(path: string, headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, this.#url), { headers, agent: false }, (response) => {
        if (response.statusCode === 200) resolve(response);
        else reject(new Error(`GET ${path} was answered with ${String(response.statusCode)}`));
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  #send(asked: Asked): Promise<Answer> {
    const { method, path, headers = {}, body, withinMs, goesAfter = Infinity } = asked;
    const from = performance.now();
    return new Promise((resolve, reject) => {
      const url = new URL(path, this.#url);
      const given = body === undefined ? headers : { 'content-type': JSON_TYPE, ...headers };
      const sent = request(url, { method, headers: given, agent: this.#agent });
      const fail = (error: Error): void => {
        clearTimeout(timer);
        reject(error);
      };
      const leave = (why: Error): void => {
        fail(why);
        sent.destroy();
      };
      const timer = setTimeout(() => leave(new TooLate(withinMs)), withinMs);
      sent.on('error', fail);
      sent.on('response', (response) => {
        const read = readBody(response, asked.readPauseMs ?? 0, (bytes) => {
          if (bytes >= goesAfter) leave(new WentAway());
        });
        read.then((text) => {
          clearTimeout(timer);
          const { statusCode: status = 0, headers: told } = response;
          resolve({ status, headers: told, body: text, ms: performance.now() - from });
        }, fail);
      });
      if (goesAfter === 0) setTimeout(() => leave(new WentAway()), 20);
      sent.end(body);
    });
  }
}

const JSON_TYPE = 'application/json';

class TooLate extends Error {
  constructor(withinMs: number) {
    super(`there was no whole answer within ${withinMs} ms`);
  }
}

const newAgent = (): Agent => new Agent({ keepAlive: true, timeout: 30_000 });

/** Rejects where the answer breaks off. */
function readBody(
  response: IncomingMessage,
  pauseMs: number,
  onBytes: (bytes: number) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      onBytes(bytes);
      if (pauseMs === 0) return;
      response.pause();
      setTimeout(() => response.resume(), pauseMs);
    });
    response.on('end', () => {
      if (response.complete) resolve(Buffer.concat(chunks).toString());
      else reject(new Error('the answer broke off'));
    });
    response.on('error', reject);
    response.on('close', () => reject(new Error('the connection broke in the answer')));
  });
}
