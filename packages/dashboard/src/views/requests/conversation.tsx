import type { JSX } from 'preact';
import type { Capture, ToldPart } from '../../api/api-types.ts';
import { Chips } from '../../parts/chips.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ToldCall } from '../../parts/told-call.tsx';
import { MarkedRaw } from './marked-raw.tsx';

/** What the model wrote on the left, what the client was told on the right. */
export function Conversation({ capture }: { readonly capture: Capture }): JSX.Element {
  const { raw, told, is_masked: isMasked } = capture;
  const repairs = told.flatMap((part) => (part.kind === 'call' ? part.repairs : []));
  return (
    <>
      {isMasked && (
        <p class="note">
          Arguments and results are masked. <code>observe.reveal: true</code> in{' '}
          <code>holdfast.yaml</code> shows them as they are.
        </p>
      )}
      <div class="columns columns-even conversation">
        <Panel
          title="What the model wrote"
          hint="As it came from the upstream. Marked is what became a call."
          actions={<CopyButton text={raw} />}
        >
          <MarkedRaw raw={raw} told={told} />
        </Panel>
        <Panel
          title="What the client got"
          hint={
            repairs.length === 0 ? (
              'Nothing had to be mended.'
            ) : (
              <>
                Mended: <Chips codes={[...new Set(repairs)]} tone="warn" />
              </>
            )
          }
        >
          {told.length === 0 ? (
            <p class="nothing">Nothing.</p>
          ) : (
            <div class="told">
              {told.map((part, at) => (
                <Part key={at} part={part} />
              ))}
            </div>
          )}
        </Panel>
      </div>
    </>
  );
}

function Part({ part }: { readonly part: ToldPart }): JSX.Element | null {
  if (part.kind === 'call') {
    return (
      <ToldCall
        name={part.name}
        args={part.arguments}
        format={part.format ?? undefined}
        repairs={part.repairs}
      />
    );
  }
  if (part.text.trim() === '') return null;
  return (
    <div class={`told-text told-${part.kind}`}>
      {part.kind === 'reasoning' && <span class="told-label">Reasoning</span>}
      {part.text.trim()}
    </div>
  );
}
