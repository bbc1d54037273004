import type { JsonObject } from '@holdfast/core';
import { isObject, objectOf, textOf } from '../proxy/json/json-fields.ts';
import { readBounded } from '../proxy/read-bounded.ts';
import type { GatewayAddress } from './gateway-address.ts';
import { Misuse } from './misuse.ts';
import { NoGateway } from './no-gateway.ts';

const TIMEOUT_MS = 10_000;
/** What a gateway tells at once is far less; whatever else listens there may never end. */
const MOST_BYTES = 33_554_432;

export interface AskOptions {
  /** What is posted; without it, the path is read. */
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the answer, too, where that is a stream. */
  readonly signal?: AbortSignal;
}

/** Asks a gateway that runs for something of its own API. */
export async function askGateway(
  address: GatewayAddress,
  path: string,
  { body, signal }: AskOptions = {},
): Promise<JsonObject> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  const response = await openGateway(address, path, {
    ...(body && { body }),
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  });
  const answer = await readJson(response);
  if (isObject(answer)) return answer;
  throw new NoGateway(
    `${address.origin} is no Holdfast gateway: ${path} is not a JSON object there; ` +
      'name the gateway with --url or HOLDFAST_URL',
  );
}

/** The answer to a request, if it is a good one. Whatever else comes is told in words, with what to do about it. */
export async function openGateway(
  { origin, token }: GatewayAddress,
  path: string,
  { body, headers = {}, signal }: AskOptions,
): Promise<Response> {
  let response;
  try {
    response = await fetch(new URL(path, origin), {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...headers,
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      // A token has no business elsewhere.
      redirect: 'error',
      ...(signal && { signal }),
    });
  } catch (error) {
    throw new NoGateway(
      `no gateway answers at ${origin}: ${reasonOf(error)}; ` +
        'start one with holdfast start, or name another with --url or HOLDFAST_URL',
    );
  }
  if (response.ok) return response;
  const message = await messageOf(response);
  switch (response.status) {
    case 401:
      throw new Misuse(
        token === undefined
          ? `${origin} wants a token: give it with --token or HOLDFAST_TOKEN`
          : `${origin} does not take this token: give the right one with --token or HOLDFAST_TOKEN`,
      );
    case 404:
      if (message === undefined) {
        throw new Misuse(`${origin} has no ${path}: it is no gateway of this version`);
      }
      throw new Misuse(message + (needsList(path, message) ? NAMES_LISTED : ''));
    default:
      throw new Misuse(
        `${origin} answered ${response.status} to ${path}${message === undefined ? '' : `: ${message}`}`,
      );
  }
}

const NAMES_LISTED = '; holdfast circuits lists them';

/** Whether somebody asked for a circuit whose name the gateway cannot guess either. */
function needsList(path: string, message: string): boolean {
  return path.startsWith('/api/v1/circuits/') && !message.includes('did you mean');
}

function reasonOf(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : {};
  return cause instanceof Error ? cause.message : String(cause);
}

/** Undefined where it is no JSON, or too much of it. */
async function readJson({ body }: Response): Promise<unknown> {
  try {
    return JSON.parse(body === null ? '' : await readBounded(body, MOST_BYTES));
  } catch {
    return undefined;
  }
}

/** What a gateway says of an error. */
async function messageOf(response: Response): Promise<string | undefined> {
  const answer = await readJson(response);
  const message = textOf(objectOf(objectOf(answer)['error'])['message']);
  return message === '' ? undefined : message;
}
