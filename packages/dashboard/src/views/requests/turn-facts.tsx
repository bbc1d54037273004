import type { ComponentChildren, JSX } from 'preact';
import type { Turn } from '../../api/api-types.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatCount } from '../../format/number.ts';
import { capitalised } from '../../format/words.ts';
import { Chips } from '../../parts/chips.tsx';
import { TurnStatus } from './turn-status.tsx';

/** What is known of a turn without its texts. */
export function TurnFacts({ turn }: { readonly turn: Turn }): JSX.Element {
  const { error, issues } = turn;
  return (
    <section class="panel" aria-label="What is known of it">
      <dl class="fact-grid">
        <Fact name="Result">
          <TurnStatus turn={turn} />
        </Fact>
        <Fact name="Duration">{formatDuration(turn.duration_ms)}</Fact>
        <Fact name="First byte">{maybe(turn.first_byte_ms, formatDuration)}</Fact>
        <Fact name="Tokens in / out">
          {maybe(turn.input_tokens, formatCount)} / {maybe(turn.output_tokens, formatCount)}
        </Fact>
        <Fact name="Attempts">
          {turn.attempts}
          {turn.was_asked_again && ', asked again'}
        </Fact>
        <Fact name="Tools offered">
          {turn.tools}
          {isText(turn.prompted_in) && `, in the prompt as ${turn.prompted_in}`}
        </Fact>
        <Fact name="Calls">{codes(turn.calls.map(({ name }) => name))}</Fact>
        <Fact name="Read as">{codes(turn.formats, 'accent')}</Fact>
        <Fact name="Repairs">{codes(turn.repairs, 'warn')}</Fact>
        <Fact name="Advice">{codes(turn.advice)}</Fact>
        <Fact name="Set right in the request">{codes(turn.normalised)}</Fact>
        <Fact name="Ended by">{turn.finish ?? '–'}</Fact>
      </dl>
      {error !== null && error !== undefined && (
        <p class="note note-bad">{capitalised(error.message)}</p>
      )}
      {issues.length > 0 && (
        <ul class="issues">
          {issues.map(({ code, message }, at) => (
            <li key={at} class="note note-warn">
              <span class="chip chip-warn">{code}</span> {message}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function codes(list: readonly string[], tone: 'plain' | 'accent' | 'warn' = 'plain'): JSX.Element {
  return list.length === 0 ? (
    <span class="nothing">none</span>
  ) : (
    <Chips codes={[...new Set(list)]} tone={tone} />
  );
}

function maybe(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}

function isText(value: string | null | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
