import { HISTORY_KINDS } from './history-kind.ts';
import type { HistoryKind } from './history-kind.ts';

/** What the name of a segment tells of it. */
export interface SegmentName {
  readonly kind: HistoryKind;
  /** That of its first record; its others are not older. */
  readonly firstAt: number;
  /** The run of a gateway that wrote it, and nobody else does. */
  readonly writer: string;
  /** Keeps those apart that a run began in the same millisecond. */
  readonly number: number;
}

const NAME = new RegExp(`^(${HISTORY_KINDS.join('|')})-(\\d{15})-([0-9a-f]{12})-(\\d{6,})\\.log$`);

export function formatSegmentName({ kind, firstAt, writer, number }: SegmentName): string {
  return `${kind}-${padded(firstAt, 15)}-${writer}-${padded(number, 6)}.log`;
}

/** Undefined for what is no segment: it is neither read nor removed. */
export function readSegmentName(name: string): SegmentName | undefined {
  const [, text, firstAt, writer, number] = NAME.exec(name) ?? [];
  const kind = HISTORY_KINDS.find((each) => each === text);
  if (kind === undefined || writer === undefined) return undefined;
  return { kind, firstAt: Number(firstAt), writer, number: Number(number) };
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
