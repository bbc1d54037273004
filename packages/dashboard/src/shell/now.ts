import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';

let timer: ReturnType<typeof setInterval> | undefined;

const tick = signal(Date.now(), {
  watched() {
    this.value = Date.now();
    timer = setInterval(() => (tick.value = Date.now()), 500);
  },
  unwatched() {
    clearInterval(timer);
  },
});

/** Milliseconds since 1970, twice a second and only while something shows it. */
export const now: ReadonlySignal<number> = tick;
