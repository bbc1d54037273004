import type { Dialect } from './dialects.ts';

export const CHANNEL_DIALECTS: readonly Dialect[] = [];
