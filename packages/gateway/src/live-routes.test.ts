import { describe, expect, test } from 'vitest';
import type { HttpExchange } from './http/http-exchange.ts';
import { LiveRoutes } from './live-routes.ts';
import type { RouteSet } from './live-routes.ts';

/** Routes that tell what happens to them; a request ends when it is let go. */
function routesNamed(name: string, events: string[]): RouteSet & { letGo(): void } {
  const waiting: (() => void)[] = [];
  return {
    routes: [
      {
        method: 'POST',
        path: '/v1/messages',
        handle: async () => {
          events.push(`${name} begins`);
          await new Promise<void>((resolve) => waiting.push(resolve));
          events.push(`${name} ends`);
        },
      },
    ],
    close: async () => void events.push(`${name} closes`),
    letGo: () => {
      for (const resolve of waiting) resolve();
    },
  };
}

describe('routes that can be replaced', () => {
  test('let a request end where it began, and close behind it', async () => {
    const events: string[] = [];
    const [old, next] = [routesNamed('old', events), routesNamed('next', events)];
    const live = new LiveRoutes(old);
    const exchange = {} as HttpExchange;

    const first = live.routes[0]!.handle(exchange);
    live.replace(next);
    const second = live.routes[0]!.handle(exchange);
    expect(events).toEqual(['old begins', 'next begins']);

    old.letGo();
    await first;
    const closed = live.close();
    next.letGo();
    await second;
    await closed;
    expect(events.slice(2)).toEqual(['old ends', 'old closes', 'next ends', 'next closes']);
  });

  test('close at once what answers nothing', async () => {
    const events: string[] = [];
    const live = new LiveRoutes(routesNamed('old', events));
    live.replace(routesNamed('next', events));
    await live.close();
    expect(events).toEqual(['old closes', 'next closes']);
  });

  test('are closed although a request failed', async () => {
    const events: string[] = [];
    const fails = async (): Promise<void> => {
      throw new Error('upstream has gone');
    };
    const live = new LiveRoutes({
      routes: [{ method: '*', path: '/v1/*', handle: fails }],
      close: async () => void events.push('closes'),
    });
    await expect(live.routes[0]!.handle({} as HttpExchange)).rejects.toThrow('upstream has gone');
    await live.close();
    expect(events).toEqual(['closes']);
  });
});
