import type { FuzzInput } from './loop/fuzz-input.ts';

/** What was run in a day: `results/<day>.json`. */
export interface FuzzRecord {
  readonly node: string;
  readonly machine: string;
  readonly executions: number;
  readonly cpuSeconds: number;
  /** How many of the executions each commit had. */
  readonly commits: Readonly<Record<string, number>>;
  /** What did not hold, when it was found: what is in the sources now may have been mended since. */
  readonly finds: readonly FindRecord[];
  readonly runs: readonly RunRecord[];
  readonly targets: Readonly<Record<string, TargetRecord>>;
}

export interface FindRecord {
  readonly target: string;
  readonly commit: string;
  readonly seed: number;
  readonly law: string;
  readonly input: FuzzInput;
}

export interface RunRecord {
  readonly commit: string;
  readonly seed: number;
  readonly executions: number;
  readonly targets: number;
}

export interface TargetRecord {
  readonly executions: number;
  readonly cpuSeconds: number;
  /** Branches taken, wherever they are. */
  readonly edges: number;
  /** Of the target's own sources. */
  readonly ownEdges: number;
  readonly ownBranches: number;
  /** How many inputs take all of these branches. */
  readonly inputs: number;
  readonly finds: number;
  readonly counts: Readonly<Record<string, number>>;
}
