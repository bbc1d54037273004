import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** A path that nobody can read names no file. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export interface ServedSite {
  readonly url: string;
  close(): void;
}

/** Serves the files of a folder on the loopback address; resolves to where. */
export function serveSite(folder: string, base: string, port: number): Promise<ServedSite> {
  const fileAt = (asked: string): string | undefined => {
    const path = decoded(asked);
    // What leads out of the folder is cut off at its root.
    const below = normalize(`/${path.startsWith(base) ? path.slice(base.length) : path}`);
    const file = join(folder, below.endsWith(sep) ? join(below, 'index.html') : below);
    return existsSync(file) && statSync(file).isFile() ? file : undefined;
  };
  const server = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    const found = fileAt(path);
    const file = found ?? join(folder, '404.html');
    const type = TYPES[extname(file)] ?? 'text/plain; charset=utf-8';
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': type });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const { port: chosen } = server.address() as AddressInfo;
      resolve({ url: `http://127.0.0.1:${chosen}${base}`, close: () => server.close() });
    });
  });
}
