import { Writable } from 'node:stream';

/**
 * Makes standard output ours: what plugins and libraries print there goes to standard error instead, because
 * one line among the messages can end a client. Returns the only way that is left.
 */
export function claimStdout(stdout: Writable, stderr: Writable): Writable {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const ours = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => void write(chunk, done),
  });
  stdout.on('error', (error: Error) => ours.destroy(error));
  return ours;
}
