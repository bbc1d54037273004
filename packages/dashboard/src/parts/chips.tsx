import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { formatCount } from '../format/number.ts';

/** Codes such as formats and repairs, small and in a row. */
export function Chips({
  codes,
  tone = 'plain',
}: {
  readonly codes: readonly string[];
  readonly tone?: ChipTone;
}): JSX.Element {
  return (
    <span class="chips">
      {codes.map((code) => (
        <span key={code} class={`chip chip-${tone}`}>
          {code}
        </span>
      ))}
    </span>
  );
}

export type ChipTone = 'plain' | 'accent' | 'warn' | 'bad';

export interface CountedChipsProps {
  readonly counts: Readonly<Record<string, number>>;
  readonly most?: number;
  readonly tone?: ChipTone;
}

/** The same with how often, the most frequent first. */
export function CountedChips({ counts, most = 6, tone = 'plain' }: CountedChipsProps): JSX.Element {
  const sorted = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a);
  const isWhole = useSignal(false);
  const more = isWhole.value ? 0 : sorted.length - most;
  if (sorted.length === 0) return <span class="nothing">none</span>;
  return (
    <span class="chips">
      {sorted.slice(0, isWhole.value ? undefined : most).map(([code, count]) => (
        <span key={code} class={`chip chip-${tone}`}>
          {code} <b>{formatCount(count)}</b>
        </span>
      ))}
      {more > 0 && (
        <button type="button" class="chip chip-more" onClick={() => (isWhole.value = true)}>
          +{more} more
        </button>
      )}
    </span>
  );
}
