import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const MAX_BYTES = 1_048_576;
// Opening a pipe would wait for its writer. Windows has no such flag: undefined adds no bits.
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * The text of a file that a configuration names. Throws for what is not a regular file, such as a device or a pipe that
 * never ends, and for more than 1 MB.
 */
export function readConfigFile(path: string): string {
  const file = openSync(path, READ);
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is not a regular file`);
    const bytes = Buffer.allocUnsafe(MAX_BYTES + 1);
    let length = 0;
    // The size is not trusted: files of /proc have none.
    for (let read = -1; read !== 0 && length <= MAX_BYTES; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, null);
    }
    if (length > MAX_BYTES) throw new Error(`${path} has more than ${MAX_BYTES} bytes`);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}
