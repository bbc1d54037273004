import { BlockList, isIPv4, isIPv6 } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether a host, without port and brackets, can only be this machine. Names other than `localhost` cannot promise that. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  // Of every request the host is asked for: an address for the list of blocks costs more than the rest of its check.
  if (isIPv4(host)) return host.startsWith('127.');
  return isIPv6(host) && LOOPBACK.check(host, 'ipv6');
}
