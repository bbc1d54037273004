import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a server does with one request. */
export type ScriptStep = (response: ServerResponse, request: IncomingMessage) => void;

/** Answers with a status, a body and headers. */
export function answers(
  status: number,
  body = '{}',
  headers: Readonly<Record<string, string>> = {},
): ScriptStep {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };
}

/** Breaks the connection off. */
export const breaksOff: ScriptStep = (response) => response.destroy();

/** Never says anything. */
export const saysNothing: ScriptStep = () => undefined;

/** Sends its head, and no byte of a body. */
export const sendsOnlyAHead: ScriptStep = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
};

/** A server that does one step of a script for each request, the last one again and again. */
export interface ScriptedServer {
  readonly url: string;
  /** How many requests have come. */
  count(): number;
  close(): Promise<void>;
}

export async function startScriptedServer(
  ...steps: readonly ScriptStep[]
): Promise<ScriptedServer> {
  let count = 0;
  const server = createServer((request, response) => {
    const step = steps[Math.min(count, steps.length - 1)];
    count++;
    request.resume();
    step?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    count: () => count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
