import type { JSX } from 'preact';
import { useResource } from '../../api/resource.ts';
import { Segmented } from '../../parts/segmented.tsx';
import { Shown, Skeleton } from '../../parts/shown.tsx';
import { ViewPage } from '../../parts/view.tsx';
import { Attention } from './attention.tsx';
import { EventFeed } from './event-feed.tsx';
import { overview, range, setRange } from './overview-data.ts';
import { OverviewCharts } from './overview-charts.tsx';
import { Tiles } from './tiles.tsx';

const RANGES = [
  { value: '15', label: '15 min' },
  { value: '60', label: '1 hour' },
] as const;

/** What the gateway does, in numbers. */
export function OverviewView(): JSX.Element {
  useResource(overview);
  return (
    <ViewPage
      title="Overview"
      intro={`What happened in the last ${range.value === '15' ? '15 minutes' : 'hour'}.`}
      actions={<Segmented label="Time" options={RANGES} value={range.value} onChange={setRange} />}
    >
      <Shown of={overview} loading={<Loading />}>
        {(value) => (
          <>
            <Tiles overview={value} />
            <OverviewCharts overview={value} />
          </>
        )}
      </Shown>
      <div class="columns columns-wide-right">
        <Attention />
        <EventFeed />
      </div>
    </ViewPage>
  );
}

function Loading(): JSX.Element {
  return (
    <>
      <div class="tiles">
        {Array.from({ length: 6 }, (_, at) => (
          <div key={at} class="tile">
            <Skeleton lines={2} />
          </div>
        ))}
      </div>
      <div class="columns">
        <div class="panel chart-loading">
          <Skeleton lines={6} />
        </div>
        <div class="panel chart-loading">
          <Skeleton lines={6} />
        </div>
      </div>
    </>
  );
}
