import { isIPv4, isIPv6 } from 'node:net';

/** A Host header, read. */
export interface ParsedHost {
  /** In lower case, an IPv6 address without its brackets. */
  readonly name: string;
  readonly port: number | undefined;
}

/**
 * Reads `name`, `name:port`, `1.2.3.4:port` or `[::1]:port`, and nothing else. A URL parser will not do: to it
 * the host of `http://evil.com@localhost`, `http://localhost/?x=` and `http://localhost#.evil.com` is localhost.
 */
export function parseHost(value: string): ParsedHost | undefined {
  const match = /^(?:\[([\da-f:.]{2,45})\]|([\w.-]{1,253}))(?::(\d{1,5}))?$/i.exec(value);
  if (match === null) return undefined;
  const [, address, name, digits] = match;
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && port > 65_535) return undefined;
  if (address !== undefined) {
    return isIPv6(address) ? { name: address.toLowerCase(), port } : undefined;
  }
  return name !== undefined && isName(name) ? { name: name.toLowerCase(), port } : undefined;
}

function isName(name: string): boolean {
  const labels = name.split('.');
  // What ends in a number is an address; `2130706433` and `0x7f.1` are 127.0.0.1 to some and a name to others.
  if (/^(?:\d+|0x[\da-f]*)$/i.test(labels.at(-1) ?? '')) return isIPv4(name);
  return labels.every((label) => /^\w(?:[\w-]{0,61}\w)?$/.test(label));
}
