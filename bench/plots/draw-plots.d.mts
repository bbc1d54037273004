export interface MeasuredFigure {
  readonly name: string;
  readonly of: string;
  readonly unit: string;
  readonly best: number;
}

export interface MeasuredRun {
  readonly date: string;
  readonly node: string;
  readonly machine: string;
  readonly peers: Readonly<Record<string, readonly string[]>>;
  readonly groups: readonly {
    readonly group: string;
    readonly node: string;
    readonly figures: readonly MeasuredFigure[];
  }[];
}

export function drawPlots(run: MeasuredRun): { readonly file: string; readonly svg: string }[];
