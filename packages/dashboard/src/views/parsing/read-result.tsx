import type { JSX } from 'preact';
import { ToldCall } from '../../parts/told-call.tsx';
import { isReading, read, readText } from './playground-run.ts';
import type { ReadPart } from './read-part.ts';

/** The text with a mark where the reader is. */
export function ReadAlong(): JSX.Element {
  const text = readText.value ?? '';
  const { position } = read.value;
  return (
    <pre class="input playground-text read-along">
      <span class="read-done">{text.slice(0, position)}</span>
      <span class="read-caret" />
      {text.slice(position)}
    </pre>
  );
}

/** What was read so far. */
export function ReadResult(): JSX.Element {
  const { parts, issues } = read.value;
  const calls = parts.filter((part) => part.kind === 'call' && part.isWhole).length;
  if (readText.value === undefined) {
    return <p class="playground-nothing">Calls appear here while the text is read.</p>;
  }
  return (
    <div class="told" aria-labelledby="playground-out" role="group">
      <p class="unseen" role="status">
        {isReading.value ? 'Reading' : `${calls === 1 ? '1 call' : `${calls} calls`} read`}
      </p>
      {parts.map((part, at) => (
        <Part key={part.kind === 'call' ? part.id : at} part={part} />
      ))}
      {!isReading.value && parts.length === 0 && <p class="nothing">Nothing.</p>}
      {issues.map(({ code, message }, at) => (
        <p key={at} class="note note-warn">
          <span class="chip chip-warn">{code}</span> {message}
        </p>
      ))}
    </div>
  );
}

function Part({ part }: { readonly part: ReadPart }): JSX.Element | null {
  if (part.kind === 'call') {
    const { name, args, format, repairs, isWhole, isLossy } = part;
    return (
      <ToldCall
        name={name}
        args={args}
        format={format}
        repairs={repairs}
        isReading={!isWhole}
        isLossy={isLossy}
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
