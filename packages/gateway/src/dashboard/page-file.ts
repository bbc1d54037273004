import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** One file of the page, as it is sent. */
export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
  /** Undefined where it would not be smaller. */
  readonly gzip: Buffer | undefined;
  /** Of the content; in quotes, as the header has it. */
  readonly etag: string;
}

/** Where the build puts the page: the same place from the source as from the build. */
export const PAGE_FOLDER: URL = new URL('../../dist/dashboard/page/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * All files of the page by the path they are asked for by; undefined where it is not built. They are few and
 * small: kept in memory, no request can name a file of this machine.
 */
export function readPage(folder: URL = PAGE_FOLDER): ReadonlyMap<string, PageFile> | undefined {
  try {
    const assets = readdirSync(new URL('assets/', folder)).map((name) => `assets/${name}`);
    return new Map([
      ['/', readPageFile(new URL('index.html', folder))],
      ...assets.map((name): [string, PageFile] => [
        `/${name}`,
        readPageFile(new URL(name, folder)),
      ]),
    ]);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function readPageFile(url: URL): PageFile {
  const path = fileURLToPath(url);
  const body = readFileSync(path);
  const gzip = gzipSync(body, { level: 9 });
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    body,
    gzip: gzip.length < body.length ? gzip : undefined,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
  };
}
