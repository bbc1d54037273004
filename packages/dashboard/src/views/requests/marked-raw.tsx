import type { JSX } from 'preact';
import type { ToldPart } from '../../api/api-types.ts';
import { findRepairs } from './find-repairs.ts';
import { markRaw } from './mark-raw.ts';
import type { RawSpan } from './mark-raw.ts';

/** The text of the model, with what became no text set apart, and in it what had to be mended. */
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
      {markRaw(raw, told).map((span, at) =>
        span.kind === 'call' ? (
          <mark key={at} class="raw-call">
            <MendedCall span={span} />
          </mark>
        ) : (
          <span key={at} class={`raw-${span.kind}`}>
            {span.text}
          </span>
        ),
      )}
    </pre>
  );
}

function MendedCall({ span }: { readonly span: RawSpan }): JSX.Element {
  const { text, repairs = [] } = span;
  const pieces: (string | JSX.Element)[] = [];
  let from = 0;
  for (const { start, end, repair } of findRepairs(text, repairs)) {
    // One mistake can look like two: the first of them is marked.
    if (start < from) continue;
    pieces.push(
      text.slice(from, start),
      start === end ? (
        <ins class="raw-missing" data-repair={repair} title={repair} />
      ) : (
        <span class="raw-mended" title={repair}>
          {text.slice(start, end)}
        </span>
      ),
    );
    from = end;
  }
  pieces.push(text.slice(from));
  return <>{pieces}</>;
}
