import { describe, expect, it } from 'vitest';
import { memoryIo } from './memory-io.case.ts';
import { stylesFor } from './style.ts';

const isColoured = (isTerminal: boolean, env: Readonly<Record<string, string>>): boolean =>
  stylesFor(memoryIo({ isTerminal, env })).dim('x') !== 'x';

describe('stylesFor', () => {
  it('colours on a terminal only', () => {
    expect(isColoured(true, {})).toBe(true);
    expect(isColoured(false, {})).toBe(false);
  });

  it('heeds NO_COLOR and a dumb terminal', () => {
    expect(isColoured(true, { NO_COLOR: '1' })).toBe(false);
    expect(isColoured(true, { NO_COLOR: '' })).toBe(true);
    expect(isColoured(true, { TERM: 'dumb' })).toBe(false);
  });

  it('heeds FORCE_COLOR above all', () => {
    expect(isColoured(false, { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(true);
    expect(isColoured(true, { FORCE_COLOR: '0' })).toBe(false);
  });
});
