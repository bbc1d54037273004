import { expect, test } from 'vitest';
import { findRoute } from './find-route.ts';

const handle = (): Promise<void> => Promise.resolve();
const routes = [
  { method: 'GET', path: '/v1/models', handle },
  { method: 'POST', path: '/v1/models', handle },
  { method: 'GET', path: '/files/*', handle },
  { method: '*', path: '/v1/*', handle },
];

test.each([
  ['GET', '/v1/models', 0],
  ['POST', '/v1/models', 1],
  ['PUT', '/v1/models', 3],
  ['GET', '/files/a/b', 2],
  ['DELETE', '/v1/files/1', 3],
])('%s %s goes to the first route that fits', (method, path, at) => {
  expect(findRoute(routes, method, path)).toBe(routes[at]);
});

test.each(['/', '/v1', '/v1models', '/V1/models', '/files'])('%s is not there', (path) => {
  expect(() => findRoute(routes, 'GET', path)).toThrow(`there is no ${path} here`);
});

test('a known path tells which methods it takes', () => {
  expect(() => findRoute(routes.slice(0, 2), 'PUT', '/v1/models')).toThrow(
    expect.objectContaining({ status: 405, headers: { allow: 'GET, POST' } }),
  );
});
