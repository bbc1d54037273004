import type { Comparison } from './compare-figures.mjs';

export function formatComparison(comparison: Comparison, before: string, rounds: number): string;
