import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';
import { Icon } from './icon.tsx';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Asks for something before anything else. The browser keeps the focus inside, and Escape closes it. */
export function Dialog({ title, onClose, children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the next frame: a key pressed right after the one that opened it belongs to the dialog.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Nothing else can have the focus before it is closed; closing gives it back to who had it.
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        // A click beside it, which is one on the backdrop.
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog-box">
        <header class="dialog-head">
          <h2 id={id} class="dialog-title">
            {title}
          </h2>
          <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
