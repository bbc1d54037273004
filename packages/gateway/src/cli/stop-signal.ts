import type { Io } from './io.ts';

/** Aborts when the program is told to stop. `forget` gives the signals back. */
export function stopSignal(io: Io): { readonly signal: AbortSignal; readonly forget: () => void } {
  const controller = new AbortController();
  const ignores = (['SIGINT', 'SIGTERM'] as const).map((name) =>
    io.onSignal(name, () => controller.abort()),
  );
  return {
    signal: controller.signal,
    forget: () => {
      for (const ignore of ignores) ignore();
    },
  };
}
