import { isIP, SocketAddress } from 'node:net';
import { isLoopback } from './is-loopback.ts';
import { parseHost } from './parse-host.ts';
import { RequestError } from './request-error.ts';

export interface HostCheckOptions {
  /** The address that is listened on. */
  readonly listenHost: string;
  /** Other names clients may use, such as that of a container. Default: none. */
  readonly hosts?: readonly string[];
  /** Where these are set, for the message of a refusal. Default: `listen.hosts or --host-name`. */
  readonly setting?: string;
}

/** Returns the Host header of a request that named us; throws a `RequestError` for any other. */
export type HostCheck = (rawHeaders: readonly string[]) => string;

/**
 * Lets in what was sent to this machine by a name that is known to be ours. A page whose own name was made to
 * point here (DNS rebinding) sends that name, and is refused.
 */
export function createHostCheck({
  listenHost,
  hosts = [],
  setting = 'listen.hosts or --host-name',
}: HostCheckOptions): HostCheck {
  const names = new Set([listenHost, ...hosts].map(oneSpelling));
  // On all addresses, any address may be ours; it cannot be a rebound name, as it is no name.
  const isAnyAddressOurs = names.has('0.0.0.0') || names.has('::');
  return (rawHeaders) => {
    const given = hostHeaders(rawHeaders);
    const [value] = given;
    if (value === undefined || given.length > 1) {
      throw new RequestError(
        400,
        'invalid-request',
        `a request has one Host header, this one has ${given.length}`,
      );
    }
    const host = parseHost(value);
    if (host === undefined) {
      throw new RequestError(
        400,
        'invalid-request',
        'the Host header is neither name, name:port nor [IPv6]:port',
      );
    }
    const { name } = host;
    if (isLoopback(name) || names.has(oneSpelling(name))) return value;
    if (isAnyAddressOurs && isIP(name) !== 0) return value;
    throw new RequestError(
      403,
      'permission',
      `this gateway is not called ${name}; use its address, or add the name to ${setting}`,
    );
  };
}

function hostHeaders(rawHeaders: readonly string[]): string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}

/** `::1` and `0:0:0:0:0:0:0:1` are one address. */
function oneSpelling(host: string): string {
  if (isIP(host) !== 6) return host.toLowerCase();
  return new SocketAddress({ address: host, family: 'ipv6' }).address;
}
