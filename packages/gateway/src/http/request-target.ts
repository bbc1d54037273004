import { RequestError } from './request-error.ts';

export interface RequestTarget {
  /** As it was sent, before the `?`. */
  readonly path: string;
  /** From the `?` on; '' without one. */
  readonly query: string;
}

/**
 * Takes the target of a request apart without building a URL of it. What a URL parser further on would read
 * as another path (`..`, `%2e%2e`, `\`) or as another host (`//host`, `http://host`) is refused here.
 */
export function parseRequestTarget(target: string): RequestTarget {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark);
  if (!path.startsWith('/')) throw refusal('has to begin with /, without scheme and host');
  if (path.startsWith('//'))
    throw refusal('begins with //: leave out the slash at the end of the base URL');
  if (
    !/^[\w/.~!$&'()*+,;=:@%-]*$/.test(path) ||
    !/^[\x21-\x7e]*$/.test(query) ||
    query.includes('#')
  ) {
    throw refusal('has characters that have to be percent-encoded');
  }
  if (path.split('/').some(isDots)) throw refusal('has a segment that is . or ..');
  return { path, query };
}

/** However the dots are written. */
function isDots(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment);
}

function refusal(what: string): RequestError {
  return new RequestError(400, 'invalid-request', `the path of the request ${what}`);
}
