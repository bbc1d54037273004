/** The connection to a server broke while it was asked: whether it did the work is not known. */
export class ServerGoneError extends Error {
  override readonly name = 'ServerGoneError';
  /** As errors of Node have it, so that it is read as a connection that broke. */
  readonly code = 'ECONNRESET';
  /** The same for all calls that one loss of the connection failed. */
  incident?: object;
}
