import { signal } from '@preact/signals';

const KEY = 'holdfast-token';

/** Whether the gateway asks for a token that it has not been shown. */
export const isLocked = signal(false);

let token = readStored();

/** What is sent along with every question. Kept as long as the tab, and never shown. */
export function tokenHeaders(): Readonly<Record<string, string>> {
  return token === null ? {} : { 'x-holdfast-token': token };
}

export function setToken(next: string): void {
  token = next;
  try {
    sessionStorage.setItem(KEY, next);
  } catch {
    // Without storage it is kept until the page is loaded again.
  }
}

/** The gateway would not take the token, or asked for one. */
export function lock(): void {
  isLocked.value = true;
}

function readStored(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
