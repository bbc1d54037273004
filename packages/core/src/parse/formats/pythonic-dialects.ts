import type { Dialect } from './dialects.ts';

export const PYTHONIC_DIALECTS: readonly Dialect[] = [];
