import { readFileSync } from 'node:fs';

/** How many the system lets wait at one port at most; 0 where it does not tell who waits. */
export function mostWaiting(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 0;
  }
}

const LISTENING = '0A';

/** How many have connected to a port of this machine, and were not taken by whoever listens there. */
export function waitingAt(port: number): number {
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const found = rows
    .map((row) => row.trim().split(/\s+/))
    .find(([, address, , state]) => address?.endsWith(local) === true && state === LISTENING);
  return Number.parseInt(found?.[4]?.split(':')[1] ?? '', 16);
}
