import { describe, expect, test } from 'vitest';
import { findPlaces } from './call-places.ts';

const places = (text: string, ...sources: string[]): string[] | undefined =>
  findPlaces(
    text,
    sources.map((raw) => ({ raw })),
  )?.map(({ start, end, calls }) => `${start}-${end} ${calls.map(({ raw }) => raw).join('+')}`);

describe('findPlaces', () => {
  test('finds each source behind the one before it, also where they are the same', () => {
    expect(places('a RUN x, RUN x.', 'RUN x', 'RUN x')).toEqual(['2-7 RUN x', '9-14 RUN x']);
  });

  test('lets several calls be written as one', () => {
    expect(places('a [f, g] b', '[f, g]', '[f, g]')).toEqual(['2-8 [f, g]+[f, g]']);
    expect(places('a [f, g] b', '[f, g]', 'g')).toEqual(['2-8 [f, g]+g']);
  });

  test('knows no places where a source is not there, or there is none', () => {
    expect(places('a RUN x', 'RUN y')).toBeUndefined();
    expect(places('a RUN x', 'RUN x', '')).toBeUndefined();
    expect(places('x before y', 'y', 'x')).toBeUndefined();
    expect(findPlaces('a', [{}])).toBeUndefined();
  });
});
