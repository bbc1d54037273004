import type { Route } from './http-exchange.ts';
import { pathHint } from './path-hint.ts';
import { RequestError } from './request-error.ts';

/**
 * The first route for a request; a `RequestError` says whether the path or the method is unknown, and which path a
 * wrong base URL was meant for. A path of which every route takes POST takes no other method.
 */
export function findRoute(routes: readonly Route[], method: string, path: string): Route {
  const allowed = new Set<string>();
  let isPostOnly = false;
  for (const route of routes) {
    if (!isOn(route.path, path)) continue;
    if (route.path === path && route.method === method) return route;
    if (route.method === '*' || route.method === method) {
      if (isPostOnly) break;
      refuseWrongPath(routes, path);
      return route;
    }
    allowed.add(route.method);
    isPostOnly = route.path === path && allowed.size === 1 && route.method === 'POST';
  }
  if (allowed.size === 0) {
    refuseWrongPath(routes, path);
    throw new RequestError(404, 'not-found', `there is no ${path} here`);
  }
  const methods = [...allowed].join(', ');
  throw new RequestError(405, 'invalid-request', `${path} takes ${methods}, not ${method}`, {
    headers: { allow: methods },
  });
}

function refuseWrongPath(routes: readonly Route[], path: string): void {
  const hint = pathHint(routes, path, (wanted) => hasRoute(routes, wanted));
  if (hint === undefined) return;
  throw new RequestError(404, 'not-found', `there is no ${path} here; ${hint}`);
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
