import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { CallRecord, ToolStatistics } from '../../api/api-types.ts';
import { Resource, useResource } from '../../api/resource.ts';
import { Empty } from '../../parts/message.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Shown, Skeleton } from '../../parts/shown.tsx';
import { ViewPage } from '../../parts/view.tsx';
import { FailureList } from './failure-list.tsx';
import type { Outcome } from './failure-list.tsx';
import { LoopsCaught } from './loops-caught.tsx';
import { ToolTable } from './tool-table.tsx';

const STALE_ON = ['call-ended', 'advice-given', 'call-vetoed'];

const tools = new Resource<{ readonly tools: readonly ToolStatistics[] }>(() => '/api/v1/tools', {
  staleOn: STALE_ON,
});
/** What is refused comes in dozens while a circuit is open, and would hide what failed. */
const outcome = signal<Outcome>('failed');

const failures = new Resource<{ readonly failures: readonly CallRecord[] }>(
  () => {
    const wanted = outcome.peek();
    return `/api/v1/failures?limit=100${wanted === 'all' ? '' : `&outcome=${wanted}`}`;
  },
  { staleOn: ['call-ended'] },
);

/** Only failures of this one are shown; undefined for all. */
const chosen = signal<string | undefined>(undefined);

/** How tools do, and what models were told when they did not. */
export function ToolsView(): JSX.Element {
  useResource(tools);
  useResource(failures);
  return (
    <ViewPage
      title="Tools and failures"
      intro="How each tool does, how it fails, and what the model was told about it."
    >
      <Shown of={tools} loading={<Skeleton lines={8} tall />}>
        {({ tools: list }) =>
          list.length === 0 ? (
            <Empty icon="tools" title="No tool was called yet">
              Calls through the MCP gateway, and those that agents tell of, are counted here.
            </Empty>
          ) : (
            <>
              <Panel title="Tools" hint="Choose one to see its failures only." isFlush>
                <ToolTable
                  tools={list}
                  chosen={chosen.value}
                  onChoose={(key) => (chosen.value = key === chosen.value ? undefined : key)}
                />
              </Panel>
              <div class="columns columns-wide-left">
                <Shown of={failures} loading={<Skeleton lines={6} tall />}>
                  {({ failures: ended }) => (
                    <FailureList
                      failures={ended}
                      outcome={outcome.value}
                      onOutcome={show}
                      of={chosen.value}
                      onAll={clear}
                    />
                  )}
                </Shown>
                <LoopsCaught tools={list} />
              </div>
            </>
          )
        }
      </Shown>
    </ViewPage>
  );
}

function show(wanted: Outcome): void {
  outcome.value = wanted;
  failures.refresh();
}

function clear(): void {
  chosen.value = undefined;
}
