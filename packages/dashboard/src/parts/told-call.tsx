import type { JSX } from 'preact';
import { Chips } from './chips.tsx';

export interface ToldCallProps {
  readonly name: string;
  /** Any value, or text while it is still being read. */
  readonly args: unknown;
  readonly format: string | undefined;
  readonly repairs: readonly string[];
  readonly isReading?: boolean;
  readonly isLossy?: boolean;
}

/** A call as a client gets it, with what was done to it. */
export function ToldCall(props: ToldCallProps): JSX.Element {
  const { name, args, format, repairs, isReading = false, isLossy = false } = props;
  return (
    <article class={isReading ? 'call call-reading' : 'call'} aria-label={`Call of ${name}`}>
      <header class="call-head">
        <code class="call-name">{name}</code>
        {format !== undefined && <span class="chip chip-accent">{format}</span>}
        {isLossy && <span class="chip chip-bad">guesswork</span>}
      </header>
      <pre class="call-args" tabIndex={0} aria-label={`Arguments of ${name}`}>
        {typeof args === 'string' ? args : JSON.stringify(args, null, 2)}
      </pre>
      {repairs.length > 0 && (
        <footer class="call-foot">
          Mended: <Chips codes={repairs} tone="warn" />
        </footer>
      )}
    </article>
  );
}
