import type { Route } from './http-exchange.ts';

/**
 * What is wrong with a path that a wrong base URL made: `/v1/v1/messages`, `/messages`, `/v1//messages`. Undefined for
 * any other path. `isServed` says whether a route with a `*` takes the path as it is.
 */
export function pathHint(
  routes: readonly Route[],
  path: string,
  isServed: (path: string) => boolean,
): string | undefined {
  const own = routes.filter((route) => !route.path.endsWith('*'));
  const isOwn = (wanted: string): boolean => own.some((route) => route.path === wanted);

  const joined = path.replace(/^(\/[^/]+)\/{2,}/, '$1/');
  if (joined !== path && isServed(joined))
    return `did you mean ${joined}? Leave out the slash at the end of the base URL`;

  const [, first = '', second, ...rest] = path.split('/');
  const once = `/${[first, ...rest].join('/')}`;
  if (first === second && rest.length > 0 && isServed(once))
    return `did you mean ${once}? The path has /${first} twice: the client adds /${first} itself, so leave it out of its base URL`;

  const bare = withoutLastSlashes(path);
  if (bare !== path && isOwn(bare)) return `did you mean ${bare}? Leave out the slash at its end`;

  const behind = own
    .filter((route) => route.method === 'POST' && path.startsWith(`${route.path}/`))
    .flatMap((route) => path.slice(route.path.length))
    .flatMap((end) => [end, `/${first}${end}`])
    .find(isOwn);
  if (behind !== undefined)
    return `did you mean ${behind}? The client adds the path itself, so leave it out of its base URL`;

  if (path === '/' || isServed(path)) return undefined;
  const longer = own.find((route) => route.path.endsWith(path))?.path;
  if (longer !== undefined) {
    const missing = longer.slice(0, -path.length);
    return `did you mean ${longer}? The base URL of the client lacks ${missing}`;
  }
  const shorter = own.find((route) => route.path !== '/' && path.endsWith(route.path))?.path;
  return shorter === undefined ? undefined : `did you mean ${shorter}?`;
}

function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path.charAt(end - 1) === '/') end--;
  return path.slice(0, end);
}
