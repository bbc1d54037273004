import { connect } from 'node:net';
import type { UpstreamConfig } from '../../config/gateway-config.ts';
import type { Logger } from '../../log/logger.ts';
import { describeFailure } from './describe-failure.ts';

/** Logs which upstreams take no connection, before a client is the first to find out. No request is sent. */
export function warnUnreachable(
  upstreams: readonly UpstreamConfig[],
  log: Logger,
  signal: AbortSignal,
): void {
  for (const { name, url, connectTimeoutMs } of upstreams) {
    const { hostname, port, protocol } = new URL(url);
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? ({ 'http:': 80, 'https:': 443 }[protocol] ?? 0) : Number(port),
      signal,
    });
    const fail = (error: unknown): void => {
      socket.destroy();
      if (signal.aborted) return;
      log.warn({ upstream: name }, describeFailure(error, name, url).message);
    };
    const late = Object.assign(new Error('connect'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
    socket.setTimeout(connectTimeoutMs, () => fail(late));
    socket
      .once('error', fail)
      .once('connect', () => socket.destroy())
      .unref();
  }
}
