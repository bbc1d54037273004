import { useEffect, useRef } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';

export interface ViewProps {
  readonly title: string;
  readonly intro?: ComponentChildren;
  /** What leads back, above the title. */
  readonly above?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

let isFirst = true;

/** A page of the dashboard. Who goes to it by keyboard or hears it begins at its title. */
export function ViewPage({ title, intro, above, actions, children }: ViewProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Holdfast`;
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, [title]);
  return (
    <>
      <header class="view-head">
        <div class="view-titles">
          {above}
          <h1 ref={heading} tabIndex={-1} class="view-title">
            {title}
          </h1>
          {intro !== undefined && <p class="view-intro">{intro}</p>}
        </div>
        {actions !== undefined && <div class="view-actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}
