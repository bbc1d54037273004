import { useId } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';

export interface SegmentedProps<T extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: T; readonly label: ComponentChildren }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** One of a few choices, all in sight: radio buttons, so arrow keys and screen readers know what to do. */
export function Segmented<T extends string>(props: SegmentedProps<T>): JSX.Element {
  const { label, options, value, onChange } = props;
  const name = useId();
  return (
    <fieldset class="segmented">
      <legend class="unseen">{label}</legend>
      {options.map((option) => (
        <label key={option.value} class="segment">
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span class="segment-text">{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
