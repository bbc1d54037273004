interface Emitter {
  on(event: string, listener: () => void): unknown;
}

const hushed = new WeakSet<Emitter>();

/**
 * An error of a connection that nobody listens for ends the process, or is written to the console. Whoever wants
 * to hear it still does; the store tells of it by what it refuses.
 */
export function hushErrors(emitter: Emitter): void {
  // Several stores may share a client.
  if (hushed.has(emitter)) return;
  hushed.add(emitter);
  emitter.on('error', () => undefined);
}
