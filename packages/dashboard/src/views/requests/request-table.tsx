import { useMemo } from 'preact/hooks';
import type { JSX } from 'preact';
import type { Turn } from '../../api/api-types.ts';
import { formatDuration } from '../../format/duration.ts';
import { Age } from '../../parts/age.tsx';
import { Chips } from '../../parts/chips.tsx';
import { linkTo } from '../../shell/read-route.ts';
import { TurnStatus } from './turn-status.tsx';

export function RequestTable({ requests }: { readonly requests: readonly Turn[] }): JSX.Element {
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Requests">
      <table class="table table-flow request-table">
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Result</th>
            <th scope="col">Calls</th>
            <th scope="col">Read as</th>
            <th scope="col">Repairs</th>
            <th scope="col" class="number">
              Duration
            </th>
            <th scope="col" class="number">
              When
            </th>
          </tr>
        </thead>
        <tbody>
          {requests.map((turn) => (
            <Row key={turn.seq} turn={turn} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ turn }: { readonly turn: Turn }): JSX.Element {
  // A turn that is over does not change any more.
  return useMemo(() => {
    const { id, model, protocol, upstream, calls, formats, repairs, duration_ms: ms, at } = turn;
    return (
      <tr>
        <th scope="row">
          <a class="row-link" href={linkTo('requests', id)}>
            {model}
          </a>
          <span class="row-sub">
            {protocol}
            {upstream !== null && upstream !== undefined && ` via ${upstream}`}
          </span>
        </th>
        <td data-label="Result">
          <TurnStatus turn={turn} />
        </td>
        <td data-label="Calls">
          {calls.length === 0 ? <span class="nothing">none</span> : <Names calls={calls} />}
        </td>
        <td data-label="Read as">
          <Chips codes={formats} tone="accent" />
        </td>
        <td data-label="Repairs">
          <Chips codes={repairs} tone="warn" />
        </td>
        <td data-label="Duration" class="number">
          {formatDuration(ms)}
        </td>
        <td data-label="When" class="number time">
          <Age at={at} />
        </td>
      </tr>
    );
  }, [turn.seq]);
}

function Names({ calls }: { readonly calls: Turn['calls'] }): JSX.Element {
  const [first, ...more] = calls;
  return (
    <>
      <code class="code-name">{first?.name}</code>
      {more.length > 0 && <span class="row-sub-inline"> +{more.length}</span>}
    </>
  );
}
