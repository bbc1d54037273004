import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { formatAge, formatFull } from '../format/time.ts';
import { now } from '../shell/now.ts';

/** How long ago something was, with the exact time on demand. */
export function Age({ at }: { readonly at: string }): JSX.Element {
  const time = Date.parse(at);
  // The first words change by the second, the later ones seldom: computed signals only tell of changes.
  const text = useComputed(() => formatAge(time, now.value));
  return (
    <time dateTime={at} title={formatFull(time)}>
      {text}
    </time>
  );
}
