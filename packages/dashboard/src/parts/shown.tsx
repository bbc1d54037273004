import type { ComponentChildren, JSX } from 'preact';
import type { Resource } from '../api/resource.ts';
import { capitalised } from '../format/words.ts';
import { Icon } from './icon.tsx';

export interface ShownProps<T> {
  readonly of: Resource<T>;
  /** What stands there until it came; in the shape of what comes, so that nothing jumps. */
  readonly loading: ComponentChildren;
  readonly children: (value: T) => ComponentChildren;
}

/** A resource as it is: on its way, there, or not to be had. What was there stays there. */
export function Shown<T>({ of: resource, loading, children }: ShownProps<T>): JSX.Element {
  const value = resource.value.value;
  const problem = resource.problem.value;
  if (value !== undefined) return <>{children(value)}</>;
  if (problem === undefined) return <div aria-busy="true">{loading}</div>;
  return (
    <div class="problem" role="alert">
      <Icon name="lost" />
      <div>
        <p class="problem-title">This could not be loaded</p>
        <p class="problem-text">{capitalised(problem.message)}.</p>
        <button type="button" class="button" onClick={() => resource.refresh()}>
          Try again
        </button>
      </div>
    </div>
  );
}

/** Grey lines in place of what is on its way. */
export function Skeleton({
  lines = 4,
  tall = false,
}: {
  readonly lines?: number;
  readonly tall?: boolean;
}): JSX.Element {
  return (
    <div class={tall ? 'skeleton skeleton-tall' : 'skeleton'} role="status">
      <span class="unseen">Loading</span>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} class="skeleton-line" />
      ))}
    </div>
  );
}
