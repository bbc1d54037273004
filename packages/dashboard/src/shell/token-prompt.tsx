import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ApiProblem } from '../api/api-problem.ts';
import { ask } from '../api/ask.ts';
import { isLocked, setToken } from '../api/session.ts';
import { connect, disconnect } from '../live/connection.ts';
import { Icon } from '../parts/icon.tsx';

/** Asks for the token of the gateway, and lets in who has it. */
export function TokenPrompt(): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const problem = useSignal('');
  const isAsking = useSignal(false);
  useEffect(() => {
    document.title = 'Locked · Holdfast';
    disconnect();
    input.current?.focus();
  }, []);
  const submit = async (): Promise<void> => {
    const token = input.current?.value.trim() ?? '';
    if (token === '') {
      problem.value = 'Enter the token.';
      input.current?.focus();
      return;
    }
    isAsking.value = true;
    setToken(token);
    try {
      await ask('/api/v1/status');
      isLocked.value = false;
      connect();
    } catch (error) {
      problem.value = wordsFor(error);
      isAsking.value = false;
      input.current?.select();
    }
  };
  return (
    <main class="locked">
      <form
        class="locked-card"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <span class="empty-mark">
          <Icon name="key" />
        </span>
        <h1 class="locked-title">This gateway asks for its token</h1>
        <p class="locked-text">
          It is the value of <code>token</code> in <code>holdfast.yaml</code>. It is kept until this
          tab is closed.
        </p>
        <label class="field">
          <span class="field-label">Token</span>
          <input
            ref={input}
            class="input"
            type="password"
            autoComplete="off"
            spellcheck={false}
            aria-invalid={problem.value !== ''}
            aria-describedby="token-problem"
          />
        </label>
        <p id="token-problem" class="field-problem" role="alert">
          {problem}
        </p>
        <button type="submit" class="button button-main button-wide" disabled={isAsking.value}>
          {isAsking.value ? 'Asking…' : 'Unlock'}
        </button>
      </form>
    </main>
  );
}

function wordsFor(error: unknown): string {
  if (!(error instanceof ApiProblem)) return String(error);
  return error.status === 401 ? 'That is not the token.' : `${error.message}.`;
}
