import type { JSX } from 'preact';
import { counted } from '../../format/number.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Icon } from '../../parts/icon.tsx';

const YAML = `observe:
  capture: true   # keep the texts of the last requests in memory
`;

/** Texts are kept only where somebody asked for it, and of the last requests only: says how, or of how many. */
export function HowToCapture({ kept }: { readonly kept: number }): JSX.Element {
  if (kept > 0) return <NoLongerKept kept={kept} />;
  return (
    <section class="panel callout" aria-label="Texts are not kept">
      <span class="empty-mark">
        <Icon name="parsing" />
      </span>
      <div>
        <h2 class="panel-title">The texts of this request were not kept</h2>
        <p>
          Prompts, arguments and results stay out of the gateway’s memory unless you want them
          there. With capture on, this page shows what the model wrote beside what the client got.
          It holds for the last requests from then on, and never reaches the disk.
        </p>
        <div class="code-block">
          <pre tabIndex={0}>
            <code>{YAML}</code>
          </pre>
          <CopyButton text={YAML} />
        </div>
        <p class="callout-more">
          Put it into <code>holdfast.yaml</code>; the file is read again when it changes. Arguments
          and results are masked unless <code>reveal: true</code> stands there too.
        </p>
      </div>
    </section>
  );
}

function NoLongerKept({ kept }: { readonly kept: number }): JSX.Element {
  return (
    <section class="panel callout" aria-label="Texts are no longer kept">
      <span class="empty-mark">
        <Icon name="parsing" />
      </span>
      <div>
        <h2 class="panel-title">The texts of this request are not kept any more</h2>
        <p>
          They are kept of the last {counted(kept, 'request')}, in memory, from when capture was
          turned on. <code>observe.captureRequests</code> in <code>holdfast.yaml</code> says of how
          many.
        </p>
      </div>
    </section>
  );
}
