import type { JSX } from 'preact';
import type { Capture, ToldPart } from '../../api/api-types.ts';
import { Chips } from '../../parts/chips.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ToldCall } from '../../parts/told-call.tsx';
import { MarkedRaw } from './marked-raw.tsx';

/** What the model wrote on the left, what the client was told on the right. */
export function Conversation({ capture }: { readonly capture: Capture }): JSX.Element {
  const { raw, raw_reasoning: reasoning = '', told, prompt, is_masked: isMasked } = capture;
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
          hint={
            <>
              <span class="raw-call">This</span> became a call
              {repairs.length > 0 && (
                <>
                  , <span class="raw-mended">this</span> was mended
                </>
              )}
              .
            </>
          }
          actions={<CopyButton text={raw} />}
        >
          {reasoning !== '' && (
            <div class="told-text told-reasoning raw-apart">
              <span class="told-label">Reasoning, told apart by the upstream</span>
              {reasoning.trim()}
            </div>
          )}
          <MarkedRaw raw={raw} told={told} />
          {capture.is_cut === true && (
            <p class="note note-warn">More was said than is kept: the end is missing.</p>
          )}
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
      {!isMasked && prompt !== null && prompt !== undefined && (
        <details class="panel asked">
          <summary class="asked-head">What the client asked</summary>
          <pre class="raw" tabIndex={0} aria-label="What the client asked">
            {typeof prompt === 'string' ? prompt : JSON.stringify(prompt, null, 2)}
          </pre>
        </details>
      )}
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
