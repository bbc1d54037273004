/** A request that cannot have reached the server, so that it can be made again whatever it does. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
  /** As errors of Node have it, so that it is read as a connection that failed. */
  readonly code = 'ECONNREFUSED';
  /** The same for all calls that one loss of the connection failed. */
  incident?: object;
}
