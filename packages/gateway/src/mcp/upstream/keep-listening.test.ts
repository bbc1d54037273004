import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import { keepListening } from './keep-listening.ts';

function begin(): {
  readonly events: string[];
  readonly clock: ManualClock;
  readonly connection: Parameters<typeof keepListening>[0]['connection'];
  readonly server: { isWilling: boolean; isOver: boolean; end: () => void };
} {
  const events: string[] = [];
  const server = { isWilling: true, isOver: false, end: (): void => undefined };
  const connection = {
    get isOver() {
      return server.isOver;
    },
    listen: async (_filter: object, _timeoutMs: number, onEnd: () => void) => {
      events.push('asked');
      if (!server.isWilling) throw new Error('not now');
      server.end = onEnd;
      return () => void events.push('stopped');
    },
  };
  return { events, clock: new ManualClock(), connection, server };
}

function listen({ connection, clock, events }: ReturnType<typeof begin>): Promise<() => void> {
  return keepListening({
    connection,
    filter: { toolsListChanged: true },
    timeoutMs: 1000,
    clock,
    onListening: () => events.push('listening'),
    onLost: () => events.push('lost'),
  });
}

describe('news of a modern server', () => {
  test('are asked for again when their stream ends, until that works', async () => {
    const scene = begin();
    const { events, clock, server } = scene;
    await listen(scene);
    expect(events.splice(0)).toEqual(['asked', 'listening']);
    server.isWilling = false;
    server.end();
    await clock.advance(3000);
    server.isWilling = true;
    await clock.advance(60_000);
    const [lost, ...again] = events.splice(0);
    expect(lost).toBe('lost');
    expect(again.length).toBeGreaterThan(2);
    expect(again.at(-1)).toBe('listening');
    expect(clock.pendingTimers).toBe(0);
  });

  test('are not asked for again after they were stopped, or the connection ended', async () => {
    const scene = begin();
    const { events, clock, server } = scene;
    const stop = await listen(scene);
    stop();
    server.end();
    await clock.advance(60_000);
    expect(events.splice(0)).toEqual(['asked', 'listening', 'stopped']);
    await listen(scene);
    server.isOver = true;
    server.end();
    await clock.advance(60_000);
    expect(events).toEqual(['asked', 'listening', 'lost']);
  });

  test('that the server does not have are not waited for', async () => {
    const scene = begin();
    scene.server.isWilling = false;
    await expect(listen(scene)).rejects.toThrow('not now');
    expect(scene.clock.pendingTimers).toBe(0);
  });
});
