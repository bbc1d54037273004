import type { JSX } from 'preact';

/** Strokes on a grid of 16. */
const PATHS = {
  overview: 'M2 9.5 5 6l3 2.5L14 3M2 13.5h12',
  circuits: 'M2 8h3.5M10.5 8H14M5.5 8 10 4.5M5.5 8v.01M10.5 8v.01',
  parsing:
    'M6 2.5c-2 0-2 1-2 2.75S3.5 8 2.25 8C3.5 8 4 9 4 10.75s0 2.75 2 2.75M10 2.5c2 0 2 1 2 2.75S12.5 8 13.75 8C12.5 8 12 9 12 10.75s0 2.75-2 2.75',
  tools: 'M9.8 6.2 3 13M9.5 2.6a3.4 3.4 0 0 0 3.9 3.9l.2 1.3a4.2 4.2 0 0 1-5.4-5.4Z',
  requests: 'M2 4.5h9M8.5 2 11 4.5 8.5 7M14 11.5H5M7.5 9 5 11.5 7.5 14',
  servers: 'M3 2.5h10v5H3zM5.5 5v.01M8 7.5v3M4 13.5h8M8 10.5v3',
  replicas: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5v.01M5 11v.01',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M12.6 3.4l-.7.7M4.1 11.9l-.7.7',
  moon: 'M13.5 9.5A5.8 5.8 0 0 1 6.5 2.5a5.8 5.8 0 1 0 7 7Z',
  system: 'M2 3h12v8H2zM6 13.5h4M8 11v2.5',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.3 10.3 13.5 13.5',
  close: 'M4 4l8 8M12 4l-8 8',
  back: 'M9.5 3.5 5 8l4.5 4.5',
  forward: 'M6.5 3.5 11 8l-4.5 4.5',
  play: 'M5 3.2v9.6L12.5 8Z',
  stop: 'M4 4h8v8H4z',
  reset: 'M3 8a5 5 0 1 0 1.5-3.6M4.5 2v2.6h2.6',
  isolate: 'M8 2.2 13 4v4c0 3-2.2 5-5 6-2.8-1-5-3-5-6V4ZM6 6.2l4 4M10 6.2l-4 4',
  table: 'M2 3h12v10H2zM2 6.5h12M2 9.8h12M6.5 6.5V13',
  chart: 'M2.5 2.5v11h11M5 10l2.5-3 2 1.6L13 4.5',
  key: 'M5 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6ZM7.8 8H14M11.2 8v2.4M13.4 8v1.9',
  lost: 'M2 6.2a9 9 0 0 1 12 0M4.3 8.8a5.6 5.6 0 0 1 7.4 0M8 12v.01M2.5 2.5l11 11',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside words that say the same; screen readers pass over it. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
