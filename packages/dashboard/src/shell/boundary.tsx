import { Component } from 'preact';
import type { ComponentChildren } from 'preact';
import { Icon } from '../parts/icon.tsx';

interface BoundaryProps {
  readonly children: ComponentChildren;
}

/** Keeps a mistake in one view from taking down the page. */
export class Boundary extends Component<BoundaryProps, { readonly problem?: string }> {
  static override getDerivedStateFromError(error: unknown): { readonly problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override render(): ComponentChildren {
    const { problem } = this.state;
    if (problem === undefined) return this.props.children;
    return (
      <div class="problem" role="alert">
        <Icon name="lost" />
        <div>
          <p class="problem-title">This view failed</p>
          <p class="problem-text">{problem}</p>
          <button type="button" class="button" onClick={() => location.reload()}>
            Load the page again
          </button>
        </div>
      </div>
    );
  }
}
