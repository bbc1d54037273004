export interface Audit {
  readonly outcome: 'clean' | 'found' | 'unanswered' | 'failed';
  /** Why there is no answer. */
  readonly reason?: string;
  readonly findings: readonly string[];
}

export function readAudit(text: string, shippedPlaces: ReadonlySet<string>): Audit;

export function auditExitCode(
  audits: readonly Audit[],
  options: { readonly isStrict: boolean },
): 0 | 1;
