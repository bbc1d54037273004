import type { JsonObject } from '../../types.ts';
import type { AnswerContext } from '../reading/answer-reader.ts';
import type { MendOptions } from '../reading/mend-options.ts';
import { readObject } from './json-fields.ts';
import { mendResponse } from './mend-response.ts';
import type { WireProtocol } from './wire-protocol.ts';

/** `fetch`, as the SDKs take it. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

interface Asked {
  readonly protocol: WireProtocol;
  readonly body: JsonObject;
  readonly context: AnswerContext;
}

/**
 * A `fetch` whose answers have their tool calls mended, where one of the protocols is spoken and tools are
 * offered. Everything else passes as it is: other paths, other kinds of bodies, and errors.
 */
export function mendingFetch(
  inner: Fetch,
  protocols: readonly WireProtocol[],
  options: MendOptions,
): Fetch {
  return async (input, init) => {
    const asked = askedOf(input, init, protocols);
    if (asked === undefined) return inner(input, init);
    const { protocol, body, context } = asked;
    const refusal = protocol.refuse?.(body);
    if (refusal !== undefined) return Response.json(refusal, { status: 400 });
    const advised = protocol.advise(body, context, options);
    const response = await inner(input, advised === body ? init : withBody(init, advised));
    return response.ok ? mendResponse(response, protocol, context, options) : response;
  };
}

function askedOf(
  input: string | URL | Request,
  init: RequestInit | undefined,
  protocols: readonly WireProtocol[],
): Asked | undefined {
  if (typeof init?.body !== 'string') return undefined;
  const path = pathOf(input);
  const protocol = protocols.find((each) => path.endsWith(each.path));
  const body = protocol === undefined ? undefined : readObject(init.body);
  if (protocol === undefined || body === undefined) return undefined;
  const context = protocol.contextOf(body);
  return context.tools.length === 0 ? undefined : { protocol, body, context };
}

function pathOf(input: string | URL | Request): string {
  const address = typeof input === 'object' && 'url' in input ? input.url : String(input);
  const [path = ''] = address.split(/[?#]/, 1);
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function withBody(init: RequestInit | undefined, body: JsonObject): RequestInit {
  const headers = new Headers(init?.headers);
  // Whoever counted the bytes counted others.
  headers.delete('content-length');
  return { ...init, headers, body: JSON.stringify(body) };
}
