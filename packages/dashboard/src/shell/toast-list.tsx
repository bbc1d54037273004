import type { JSX } from 'preact';
import { Icon } from '../parts/icon.tsx';
import { dismiss, toasts } from './toasts.ts';

export function ToastList(): JSX.Element {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text, isProblem }) => (
        <div key={id} class={isProblem ? 'toast toast-problem' : 'toast'}>
          <span>{text}</span>
          <button
            type="button"
            class="icon-button"
            aria-label="Dismiss"
            onClick={() => dismiss(id)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
