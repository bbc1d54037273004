export interface Budget {
  readonly what: string;
  readonly limit: string;
  readonly groups: readonly string[];
}

export interface MeasuredTable {
  readonly rows: readonly { readonly budgets?: Readonly<Record<string, boolean>> }[];
}

export interface Verdict {
  readonly id: string;
  readonly rows: number;
  readonly missed: number;
  readonly groups: readonly string[];
}

export const budgets: Readonly<Record<string, Budget>>;
export function budgetsOf(group: string): string[];
export function isMet(row: MeasuredTable['rows'][number]): boolean | undefined;
export function budgetFaults(group: {
  readonly name: string;
  readonly tables: readonly MeasuredTable[];
}): string[];
export function judgeBudgets(
  groups: readonly { readonly name: string; readonly tables: readonly MeasuredTable[] }[],
): Verdict[];
