import { signal } from '@preact/signals';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isProblem: boolean;
}

const SHOWN_MS = 6_000;
let lastId = 0;

/** What was just done, or could not be done. */
export const toasts = signal<readonly Toast[]>([]);

export function tell(text: string, isProblem = false): void {
  const id = ++lastId;
  toasts.value = [...toasts.value.slice(-2), { id, text, isProblem }];
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}
