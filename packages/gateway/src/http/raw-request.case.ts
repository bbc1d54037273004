import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends these bytes, whatever they are, and reads until the server closes the connection. */
export async function rawRequest(port: number, text: string): Promise<RawAnswer> {
  const socket = connectTo(port);
  socket.write(text);
  return parseAnswer(await readAll(socket));
}

/** A request with these lines above the empty one, on a connection that is not kept. */
export function lines(...given: readonly string[]): string {
  return [...given, 'Connection: close', '', ''].join('\r\n');
}

export function connectTo(port: number): Socket {
  return connect({ port, host: '127.0.0.1' });
}

/** All that comes before the connection is closed, be it by a reset. */
export async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (data: string) => (text += data));
  await new Promise<void>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
  return text;
}

/** The next data that contains `part`. */
export function readUntil(socket: Socket, part: string): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    const onData = (data: string): void => {
      text += data;
      if (!text.includes(part)) return;
      socket.off('data', onData);
      resolve(text);
    };
    socket.on('data', onData);
    socket.on('close', () => reject(new Error(`closed before ${part}: ${text}`)));
  });
}

export function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...headerLines] = head.split('\r\n');
  const headers = headerLines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return {
    status: Number(statusLine.split(' ')[1] ?? '0'),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
  };
}
