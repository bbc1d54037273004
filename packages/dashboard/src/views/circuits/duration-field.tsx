import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Segmented } from '../../parts/segmented.tsx';

const CHOICES = [
  { value: '300', label: '5 min' },
  { value: '900', label: '15 min' },
  { value: '3600', label: '1 h' },
  { value: 'reset', label: 'Until reset' },
  { value: 'other', label: 'Other' },
] as const;

type Choice = (typeof CHOICES)[number]['value'];

export interface DurationFieldProps {
  /** Undefined for as long as nobody resets it. */
  readonly seconds: number | undefined;
  readonly onChange: (seconds: number | undefined) => void;
}

/** How long something lasts: one of what is mostly meant, or minutes. */
export function DurationField({ seconds, onChange }: DurationFieldProps): JSX.Element {
  const choice = useSignal<Choice>('900');
  const choose = (next: Choice): void => {
    choice.value = next;
    if (next === 'reset') onChange(undefined);
    else onChange(next === 'other' ? 1800 : Number(next));
  };
  return (
    <div class="field">
      <span class="field-label" aria-hidden="true">
        For how long
      </span>
      <Segmented label="For how long" options={CHOICES} value={choice.value} onChange={choose} />
      {choice.value === 'other' && (
        <label class="field-inline">
          <input
            class="input input-short"
            type="number"
            min={1}
            max={10_080}
            required
            value={Math.round((seconds ?? 0) / 60)}
            onInput={(event) => onChange(Math.max(1, event.currentTarget.valueAsNumber || 1) * 60)}
          />
          minutes
        </label>
      )}
    </div>
  );
}
