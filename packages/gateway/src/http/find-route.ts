import type { Route } from './http-exchange.ts';
import { RequestError } from './request-error.ts';

/** The first route for a request; a `RequestError` says whether the path or the method is unknown. */
export function findRoute(routes: readonly Route[], method: string, path: string): Route {
  const allowed = new Set<string>();
  for (const route of routes) {
    if (!isOn(route.path, path)) continue;
    if (route.method === '*' || route.method === method) return route;
    allowed.add(route.method);
  }
  if (allowed.size === 0) throw new RequestError(404, 'not-found', `there is no ${path} here`);
  const methods = [...allowed].join(', ');
  throw new RequestError(405, 'invalid-request', `${path} takes ${methods}, not ${method}`, {
    headers: { allow: methods },
  });
}

/** The route for a request that needs no token, if there is one. */
export function findOpenRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): Route | undefined {
  return routes.find(
    (route) => route.isOpen === true && route.method === method && isOn(route.path, path),
  );
}

/** Whether there is a route on a path, for whatever method. */
export function hasRoute(routes: readonly Route[], path: string): boolean {
  return routes.some((route) => isOn(route.path, path));
}

function isOn(pattern: string, path: string): boolean {
  return pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
