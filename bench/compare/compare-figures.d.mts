export interface Figure {
  readonly group: string;
  readonly name: string;
  readonly of: string;
  readonly unit: string;
  readonly best: number;
}

export interface ComparedFigure {
  readonly group: string;
  readonly name: string;
  readonly of: string;
  readonly unit: string;
  readonly before: number;
  readonly after: number;
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly verdict: 'slower' | 'faster' | 'same';
}

export interface Comparison {
  readonly noise: number;
  readonly rows: readonly ComparedFigure[];
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
}

export function compareFigures(
  rounds: readonly { readonly before: readonly Figure[]; readonly after: readonly Figure[] }[],
): Comparison;

export function sortRows(rows: readonly ComparedFigure[]): ComparedFigure[];
