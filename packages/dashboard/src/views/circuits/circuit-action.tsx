import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { postJson } from '../../api/ask.ts';
import { capitalised } from '../../format/words.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { tell } from '../../shell/toasts.ts';
import { circuitKey, circuitPath } from './circuit-address.ts';
import { circuits } from './circuit-list.ts';
import { DurationField } from './duration-field.tsx';
import type { ReceivedCircuit } from './received-circuit.ts';

export interface CircuitActionProps {
  readonly kind: 'reset' | 'isolate';
  readonly circuit: ReceivedCircuit;
  readonly onClose: () => void;
}

/** Asks how, does it, and says that it was done. */
export function CircuitAction({ kind, circuit, onClose }: CircuitActionProps): JSX.Element {
  const words = useSignal('');
  const seconds = useSignal<number | undefined>(15 * 60);
  const problem = useSignal('');
  const isSending = useSignal(false);
  const isIsolate = kind === 'isolate';
  const act = async (): Promise<void> => {
    const text = words.value.trim();
    if (isIsolate && text === '') {
      problem.value = 'Say why: others will see it.';
      return;
    }
    isSending.value = true;
    try {
      await postJson(circuitPath(circuitKey(circuit), `/${kind}`), {
        ...(isIsolate ? { reason: text } : text !== '' && { note: text }),
        ...(isIsolate && seconds.value !== undefined && { for_seconds: seconds.value }),
      });
      circuits.refresh();
      tell(isIsolate ? `${circuit.name} is isolated` : `${circuit.name} is reset`);
      onClose();
    } catch (error) {
      problem.value = error instanceof Error ? `${capitalised(error.message)}.` : String(error);
      isSending.value = false;
    }
  };
  return (
    <Dialog title={isIsolate ? 'Isolate the circuit' : 'Reset the circuit'} onClose={onClose}>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          void act();
        }}
      >
        <p class="dialog-text">
          <code class="code-name">{circuit.name}</code>{' '}
          {isIsolate
            ? 'will refuse all calls, whatever their outcome would be.'
            : 'will be closed and forget the failures that led here. Calls go through again at once.'}
        </p>
        <label class="field">
          <span class="field-label">{isIsolate ? 'Reason' : 'Note (optional)'}</span>
          <input
            class="input"
            type="text"
            maxLength={200}
            autofocus
            value={words.value}
            placeholder={isIsolate ? 'Deploying a fix' : 'The server is back'}
            aria-invalid={problem.value !== ''}
            aria-describedby="action-problem"
            onInput={(event) => {
              words.value = event.currentTarget.value;
              problem.value = '';
            }}
          />
        </label>
        {isIsolate && (
          <DurationField seconds={seconds.value} onChange={(next) => (seconds.value = next)} />
        )}
        <p id="action-problem" class="field-problem" role="alert">
          {problem}
        </p>
        <div class="dialog-buttons">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class={isIsolate ? 'button button-danger' : 'button button-main'}
            disabled={isSending.value}
          >
            {isIsolate ? 'Isolate' : 'Reset'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
