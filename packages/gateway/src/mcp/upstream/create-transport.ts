import type { Transport } from '@modelcontextprotocol/client';
import type { Logger } from '../../log/logger.ts';
import type { McpServerConfig } from '../mcp-config.ts';
import { ChildTransport } from '../stdio/child-transport.ts';
import { HttpTransport } from './http-transport.ts';
import { SseTransport } from './sse-transport.ts';

/** What carries messages to a server; not yet started. */
export function createTransport(
  { name, via }: McpServerConfig,
  log: Logger,
  maxMessageBytes: number,
): Transport {
  if (via.kind === 'stdio') {
    return new ChildTransport(via, {
      name,
      log: log.child({ server: name }),
      maxLineBytes: maxMessageBytes,
    });
  }
  const url = new URL(via.url);
  const options = { requestInit: { headers: { ...via.headers } }, maxBytes: maxMessageBytes };
  return via.kind === 'sse' ? new SseTransport(url, options) : new HttpTransport(url, options);
}
