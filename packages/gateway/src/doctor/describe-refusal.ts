import { readErrorAnswer } from '../proxy/upstream/read-error-answer.ts';
import type { Asked } from './doctor-client.ts';

type Answer = Extract<Asked, { ok: true }>;

/** An answer that was not what was asked for, in words; undefined for one with status 200 and JSON or events. */
export function describeRefusal(answer: Answer): string | undefined {
  const { status, headers, body } = answer;
  if (isPage(answer)) {
    const title = /<title>([^<]{1,80})/i.exec(body)?.[1]?.trim();
    const named = title === undefined ? '' : `, titled "${title}"`;
    return `answered ${status} with an HTML page${named} instead of JSON`;
  }
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) {
    const to = headers['location'] ?? 'nowhere';
    return `answered ${status}, a redirect to ${to}; redirects are not followed`;
  }
  const { message } = readErrorAnswer({
    upstream: '',
    status,
    retryAfter: undefined,
    body: body.slice(0, 4_000),
    wallTime: 0,
  });
  return message.slice(message.indexOf('answered'));
}

function isPage({ headers, body }: Answer): boolean {
  return /html/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype|html)/i.test(body);
}

/** What may help with a status, where it usually means one thing. */
export function hintsFor(status: number, hasKey: boolean): readonly string[] {
  switch (status) {
    case 401:
    case 403:
      return [
        hasKey
          ? 'the key that was given is not accepted'
          : 'the server wants a key: --api-key, or HOLDFAST_API_KEY in the environment',
      ];
    case 404:
      return ['nothing is at that path: is the URL complete up to /v1?'];
    case 429:
      return ['the server is asked too often, or its quota is used up'];
    case 503:
      return ['the server may still be loading the model: try again in a minute'];
    default:
      return status >= 500 ? ['the server failed: its own log says why'] : [];
  }
}
