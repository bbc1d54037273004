import type { JsonObject } from '@holdfast/core';
import type { UpstreamProtocol } from '../config/gateway-config.ts';
import { readJsonObject } from '../proxy/json/read-json-object.ts';
import { describeRefusal } from './describe-refusal.ts';
import type { DoctorClient } from './doctor-client.ts';
import type { Attempt } from './doctor-report.ts';

/** What else a server speaks beside Chat Completions, and what was tried to find out. */
export interface OtherProtocols {
  readonly spoken: readonly UpstreamProtocol[];
  readonly tried: readonly Attempt[];
}

/** A question in a protocol, and how its answer is known. */
interface ProtocolProbe {
  readonly protocol: UpstreamProtocol;
  readonly path: string;
  readonly name: string;
  readonly request: (model: string) => JsonObject;
  readonly isAnswer: (body: JsonObject) => boolean;
}

/** What is answered where nothing is at a path. */
export const NOT_THERE: ReadonlySet<number> = new Set([404, 405, 501]);

/** The fewest that OpenAI's own server takes. */
const MAX_TOKENS = 16;
const QUESTION = 'Say ok.';
/** The model has just answered, so it is loaded. */
const PATIENCE_MS = 30_000;

const PROBES: readonly ProtocolProbe[] = [
  {
    protocol: 'messages',
    path: '/messages',
    name: 'Anthropic Messages',
    request: (model) => ({
      model,
      max_tokens: MAX_TOKENS,
      messages: [{ role: 'user', content: QUESTION }],
    }),
    isAnswer: (body) => body['type'] === 'message',
  },
  {
    protocol: 'responses',
    path: '/responses',
    name: 'OpenAI Responses',
    request: (model) => ({ model, max_output_tokens: MAX_TOKENS, input: QUESTION, store: false }),
    isAnswer: (body) => body['object'] === 'response' || Array.isArray(body['output']),
  },
];

/** Asks a server for a word in the protocols that it may speak beside Chat Completions, one after the other. */
export async function probeProtocols(
  client: DoctorClient,
  about: { readonly url: string; readonly model: string; readonly timeoutMs: number },
): Promise<OtherProtocols> {
  const { url, model } = about;
  const timeoutMs = Math.min(about.timeoutMs, PATIENCE_MS);
  const spoken: UpstreamProtocol[] = [];
  const tried: Attempt[] = [];
  for (const { protocol, path, name, request, isAnswer } of PROBES) {
    const asked = await client.ask(url + path, { timeoutMs, body: request(model), protocol });
    const refusal = asked.ok ? describeRefusal(asked) : asked.failure.message;
    const body = asked.ok && refusal === undefined ? readJsonObject(asked.body) : undefined;
    const ok = body !== undefined && isAnswer(body);
    if (ok) spoken.push(protocol);
    const isNotThere = asked.ok && NOT_THERE.has(asked.status);
    const outcome = ok
      ? `200 in ${asked.ms} ms: it speaks ${name}`
      : isNotThere
        ? `answered ${asked.status}: it does not speak ${name}`
        : (refusal ?? `answered with something else than ${name}`);
    tried.push({ request: `POST ${url}${path}`, ok, outcome });
  }
  return { spoken, tried };
}
