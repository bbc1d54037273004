import type { Dialect } from './dialects.ts';

export const XML_DIALECTS: readonly Dialect[] = [];
