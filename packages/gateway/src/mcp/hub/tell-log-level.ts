import type { UpstreamServer } from '../upstream/upstream-server.ts';

/** Asks a legacy server for messages of a level. Modern ones hear with each request which messages are wanted. */
export async function tellLogLevel(server: UpstreamServer, level: string): Promise<void> {
  const { current } = server;
  if (current?.era !== 'legacy' || current.capabilities['logging'] === undefined) return;
  await server.request({ method: 'logging/setLevel', params: { level } });
}
