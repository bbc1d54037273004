import { createReadStream } from 'node:fs';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';
import { InvalidUtf8Error, Utf8Reader } from './utf8-reader.ts';

/** The text of a file, or of standard input when no file or `-` is named, as it arrives. */
export async function* readText(file: string | undefined, io: Io): AsyncGenerator<string> {
  const isStdin = file === undefined || file === '-';
  const name = isStdin ? 'standard input' : file;
  const source: AsyncIterable<Uint8Array> = isStdin
    ? io.stdin
    : (createReadStream(file) as AsyncIterable<Uint8Array>);
  const reader = new Utf8Reader();
  try {
    for await (const chunk of source) {
      const text = reader.write(chunk);
      if (text !== '') yield text;
    }
    reader.end();
  } catch (error) {
    throw readable(error, name);
  }
}

export async function readWholeText(file: string | undefined, io: Io): Promise<string> {
  let whole = '';
  for await (const text of readText(file, io)) whole += text;
  return whole;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a directory, expected a file',
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
};

function readable(error: unknown, name: string): unknown {
  if (error instanceof InvalidUtf8Error) return new Misuse(`${name} is ${error.message}`);
  if (!(error instanceof Error) || !('code' in error)) return error;
  const reason = REASONS[String(error.code)] ?? error.message;
  return new Misuse(`cannot read ${name}: ${reason}`);
}
