import type { JSX } from 'preact';
import type { ToldPart } from '../../api/api-types.ts';
import { markRaw } from './mark-raw.ts';

/** The text of the model, with what became no text set apart. */
export function MarkedRaw({
  raw,
  told,
}: {
  readonly raw: string;
  readonly told: readonly ToldPart[];
}): JSX.Element {
  if (raw === '') return <p class="nothing">Nothing.</p>;
  return (
    <pre class="raw" tabIndex={0} aria-label="What the model wrote">
      {markRaw(raw, told).map(({ text, kind }, at) =>
        kind === 'call' ? (
          <mark key={at} class="raw-call">
            {text}
          </mark>
        ) : (
          <span key={at} class={`raw-${kind}`}>
            {text}
          </span>
        ),
      )}
    </pre>
  );
}
