import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { TurnWithCapture } from '../../api/api-types.ts';
import { Resource, useResource } from '../../api/resource.ts';
import { formatTime } from '../../format/time.ts';
import { Icon } from '../../parts/icon.tsx';
import { Shown, Skeleton } from '../../parts/shown.tsx';
import { ViewPage } from '../../parts/view.tsx';
import { linkTo } from '../../shell/read-route.ts';
import { Conversation } from './conversation.tsx';
import { HowToCapture } from './how-to-capture.tsx';
import { TurnFacts } from './turn-facts.tsx';

/** One request: what the model wrote beside what the client got. */
export function RequestView({ id }: { readonly id: string }): JSX.Element {
  const resource = useMemo(
    () =>
      new Resource<TurnWithCapture>(() => `/api/v1/requests/${encodeURIComponent(id)}`, {
        staleOn: [],
      }),
    [id],
  );
  useResource(resource);
  const turn = resource.value.value;
  return (
    <ViewPage
      title={turn === undefined ? 'Request' : turn.model}
      above={
        <a class="back" href={linkTo('requests')}>
          <Icon name="back" /> Requests
        </a>
      }
      intro={turn !== undefined && <Intro turn={turn} />}
    >
      <Shown of={resource} loading={<Skeleton lines={10} tall />}>
        {(value) => (
          <>
            <TurnFacts turn={value} />
            {value.capture === null ? (
              <HowToCapture kept={value.captured_requests} />
            ) : (
              <Conversation capture={value.capture} />
            )}
          </>
        )}
      </Shown>
    </ViewPage>
  );
}

function Intro({ turn }: { readonly turn: TurnWithCapture }): JSX.Element {
  const { protocol, upstream, at, id } = turn;
  return (
    <>
      {protocol}
      {upstream !== null && upstream !== undefined && ` via ${upstream}`},{' '}
      {formatTime(Date.parse(at), Date.now())}, <code>{id}</code>
    </>
  );
}
