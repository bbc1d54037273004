import { useMemo } from 'preact/hooks';
import type { JSX } from 'preact';
import { counted } from '../format/number.ts';

const KINDS = {
  s: { class: 'success', one: 'success', many: 'successes' },
  f: { class: 'failure', one: 'failure', many: 'failures' },
  r: { class: 'refused', one: 'refused', many: 'refused' },
  i: { class: 'ignored', one: 'not counted', many: 'not counted' },
} as const;

type Letter = keyof typeof KINDS;

const LETTERS: readonly Letter[] = ['s', 'f', 'r', 'i'];
/** From where to where an outcome is drawn, of 0..1: refused calls never reached the tool, so they stay low. */
const HEIGHTS: Readonly<Record<Letter, number>> = { s: 0.72, f: 1, r: 0.42, i: 0.2 };

export interface OutcomeStripProps {
  readonly outcomes: string;
  /** How many are shown, the newest of them at the right. */
  readonly length?: number;
  readonly height?: number;
}

/** The last calls of a circuit, oldest first. */
export function OutcomeStrip({
  outcomes,
  length = 60,
  height = 20,
}: OutcomeStripProps): JSX.Element {
  // There may be many, and most of them stay as they are when others change.
  return useMemo(
    () => <Strip outcomes={outcomes.slice(-length)} length={length} height={height} />,
    [outcomes, length, height],
  );
}

function Strip({ outcomes, length, height }: Required<OutcomeStripProps>): JSX.Element {
  const width = length * 4 - 1;
  const label =
    outcomes === ''
      ? 'No calls yet'
      : `Last ${counted(outcomes.length, 'call')}: ${summary(outcomes)}`;
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path class="strip-base" d={`M0 ${height - 0.5}H${width}`} />
      {LETTERS.map((letter) => (
        <path
          key={letter}
          class={`strip-${KINDS[letter].class}`}
          d={bars(outcomes, letter, length, height)}
        />
      ))}
    </svg>
  );
}

/** All bars of one kind as one path. */
function bars(outcomes: string, letter: Letter, length: number, height: number): string {
  const tall = Math.round(HEIGHTS[letter] * height);
  let path = '';
  for (let at = outcomes.indexOf(letter); at >= 0; at = outcomes.indexOf(letter, at + 1)) {
    path += `M${(length - outcomes.length + at) * 4} ${height - tall}h3v${tall}h-3z`;
  }
  return path;
}

export function summary(outcomes: string): string {
  return LETTERS.map((letter) => [letter, outcomes.split(letter).length - 1] as const)
    .filter(([, count]) => count > 0)
    .map(([letter, count]) => counted(count, KINDS[letter].one, KINDS[letter].many))
    .join(', ');
}
