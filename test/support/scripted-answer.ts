/** How many bytes are written at once: 1, 3, …, or all of them. */
export type Cut = number | 'whole';

/** What a scripted upstream answers with. The fields say what happens, in the order in which it does. */
export interface ScriptedAnswer {
  /** Nothing is said for this long. */
  readonly silentMs?: number;
  /** 200, if absent. */
  readonly status?: number;
  /** Next to, or in place of, the content type of `body`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The bytes, as they are: an event stream where a text begins like one, else JSON. */
  readonly body: string | Uint8Array;
  /** `body` is sent compressed. */
  readonly gzip?: boolean;
  /** `whole`, if absent. Each piece is a chunk of the response, which a client sees apart. */
  readonly cut?: Cut;
  /** Between two pieces; none, if absent. */
  readonly pauseMs?: number;
  /** No byte of the body from this one on is sent. */
  readonly stopAt?: number;
  /** What follows the last byte; `end`, if absent. */
  readonly then?: Ending;
}

/**
 * `end`: the response ends as it should. `close`: the connection is closed in the middle of the response.
 * `reset`: it is reset. `stall`: nothing more is said until the client has gone.
 */
export type Ending = 'end' | 'close' | 'reset' | 'stall';

const EVENT_STREAM = /^\s*(?::|data:|event:|id:|retry:)/;

/** Answers with an HTML page and status 200, as a wrong address or a login page does. */
export const htmlAnswer: ScriptedAnswer = {
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><html><head><title>Welcome</title></head><body>Sign in</body></html>',
};

/** Answers with a status and an error as OpenAI's servers write one. */
export function errorAnswer(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  message = `scripted failure ${status}`,
): ScriptedAnswer {
  const type = status === 429 ? 'rate_limit_error' : 'server_error';
  return {
    status,
    headers,
    body: JSON.stringify({ error: { message, type, param: null, code: null } }),
  };
}

/** What the body of an answer is, unless its headers say otherwise. */
export function contentTypeOf(body: string | Uint8Array): string {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString();
  return EVENT_STREAM.test(text) ? 'text/event-stream' : 'application/json';
}

/** The bytes in pieces of `cut`. */
export function cutBytes(bytes: Uint8Array, cut: Cut): readonly Uint8Array[] {
  if (cut === 'whole') return bytes.length === 0 ? [] : [bytes];
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += cut) pieces.push(bytes.subarray(at, at + cut));
  return pieces;
}
