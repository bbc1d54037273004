import { useId } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';

export interface PanelProps {
  readonly title: string;
  /** One line on what is shown. */
  readonly hint?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Without space around it: for tables that reach the edges. */
  readonly isFlush?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A titled part of a view. */
export function Panel({
  title,
  hint,
  actions,
  isFlush = false,
  children,
  ...props
}: PanelProps): JSX.Element {
  const id = useId();
  return (
    <section class={`panel ${props.class ?? ''}`} aria-labelledby={id}>
      <header class="panel-head">
        <div>
          <h2 id={id} class="panel-title">
            {title}
          </h2>
          {hint !== undefined && <p class="panel-hint">{hint}</p>}
        </div>
        {actions !== undefined && <div class="panel-actions">{actions}</div>}
      </header>
      <div class={isFlush ? 'panel-body panel-flush' : 'panel-body'}>{children}</div>
    </section>
  );
}
