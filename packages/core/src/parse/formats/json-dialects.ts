import type { Dialect } from './dialects.ts';

export const JSON_DIALECTS: readonly Dialect[] = [];
