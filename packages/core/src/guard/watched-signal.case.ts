/** A controller, and how many listen to the abort of its signal. */
export interface WatchedSignal {
  readonly controller: AbortController;
  readonly signal: AbortSignal;
  readonly listeners: () => number;
}

export function watchedSignal(): WatchedSignal {
  const controller = new AbortController();
  const { signal } = controller;
  const listening = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...of: Parameters<typeof add>) => {
    if (of[0] === 'abort') listening.add(of[1]);
    add(...of);
  };
  signal.removeEventListener = (...of: Parameters<typeof remove>) => {
    if (of[0] === 'abort') listening.delete(of[1]);
    remove(...of);
  };
  return { controller, signal, listeners: () => listening.size };
}
