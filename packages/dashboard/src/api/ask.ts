import { ApiProblem, readProblem } from './api-problem.ts';
import { lock, tokenHeaders } from './session.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Asks the gateway. Whoever is not let in is asked for the token, whatever the question was. */
export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      ...init,
      headers: { ...(init.body !== undefined && JSON_TYPE), ...tokenHeaders(), ...headersOf(init) },
      cache: 'no-store',
    });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new ApiProblem(0, 'the gateway cannot be reached');
  }
  if (answer.status === 401) lock();
  if (!answer.ok) throw await readProblem(answer);
  return answer;
}

// The page and the gateway are one build: what an answer looks like is said once, by the types.
export async function getJson<T>(path: string): Promise<T> {
  const answer = await ask(path);
  return (await answer.json()) as T;
}

export async function postJson<T>(path: string, body: object): Promise<T> {
  const answer = await ask(path, { method: 'POST', body: JSON.stringify(body) });
  return (await answer.json()) as T;
}

function headersOf({ headers }: RequestInit): Readonly<Record<string, string>> {
  return headers === undefined ? {} : Object.fromEntries(new Headers(headers));
}
