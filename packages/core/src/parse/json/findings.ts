import type { Repair } from '../../types.ts';

/** What is known of a document besides its value: the repairs it took, or why it cannot be read. */
export class Findings {
  readonly repairs: Repair[] = [];
  lossy = false;
  failure = '';
  /** Offset of the character that made it fail. */
  failedAt = 0;
  /** Whether it failed over the limit on nesting. */
  tooDeep = false;
  /** Where the end marker first stood inside a string: the string may have lost its closing quote before it. */
  crossedAt = -1;

  note(repair: Repair): void {
    if (this.repairs.includes(repair)) return;
    this.repairs.push(repair);
    // Past an end marker only valid JSON shows that the marker really was inside a string.
    if (this.crossedAt >= 0 && repair !== 'raw-control-character')
      this.failure = 'a string holds the end marker';
  }

  noteLoss(repair: Repair): void {
    this.note(repair);
    this.lossy = true;
  }

  fail(reason: string, offset: number): void {
    this.failure = reason;
    this.failedAt = offset;
  }
}
