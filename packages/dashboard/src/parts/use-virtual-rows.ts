import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

/** Rows drawn beyond what is in sight, so that scrolling meets no empty place. */
const BEYOND = 8;

export interface VirtualRows<E extends HTMLElement> {
  /** For the element that all rows are in. */
  readonly ref: RefObject<E | null>;
  readonly from: number;
  readonly to: number;
}

/** Which of many rows of one height are in sight, as the page scrolls. */
export function useVirtualRows<E extends HTMLElement>(
  count: number,
  rowHeight: number,
): VirtualRows<E> {
  const ref = useRef<E>(null);
  const [range, setRange] = useState({ from: 0, to: Math.min(count, 40) });
  useLayoutEffect(() => {
    const look = (): void => {
      const element = ref.current;
      if (element === null) return;
      const hidden = -element.getBoundingClientRect().top;
      const first = Math.floor(hidden / rowHeight) - BEYOND;
      const last = Math.ceil((hidden + window.innerHeight) / rowHeight) + BEYOND;
      const from = Math.min(Math.max(0, first), Math.max(0, count - 1));
      const to = Math.min(count, Math.max(from, last));
      setRange((range) => (range.from === from && range.to === to ? range : { from, to }));
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [count, rowHeight]);
  return { ref, from: Math.min(range.from, count), to: Math.min(range.to, count) };
}
