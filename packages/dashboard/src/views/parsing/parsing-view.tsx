import type { JSX } from 'preact';
import type { Parsing } from '../../api/api-types.ts';
import { parts } from '../../api/gateway.ts';
import { Resource, useResource } from '../../api/resource.ts';
import { Empty } from '../../parts/message.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Shown, Skeleton } from '../../parts/shown.tsx';
import { ViewPage } from '../../parts/view.tsx';
import { ModelTable } from './model-table.tsx';
import { Playground } from './playground.tsx';
import { RepairBars } from './repair-bars.tsx';
import { UnreadList } from './unread-list.tsx';

const parsing = new Resource<Parsing>(() => '/api/v1/parsing', { staleOn: ['turn-ended'] });

/** How models write their calls, what had to be mended, and what could not be read. */
export function ParsingView(): JSX.Element {
  useResource(parsing);
  return (
    <ViewPage
      title="Parsing"
      intro="In which dialects models write their calls, what had to be mended, and what could not be read."
    >
      <Playground />
      <Shown of={parsing} loading={<Skeleton lines={6} tall />}>
        {({ models, repairs, unread }) =>
          models.length === 0 && parts.value?.hasModels === false ? null : models.length === 0 ? (
            <Empty icon="parsing" title="No model has answered yet">
              What its answers are read as is counted here. The playground above works without one.
            </Empty>
          ) : (
            <>
              <Panel title="Models" isFlush>
                <ModelTable models={models} />
              </Panel>
              <div class="columns columns-wide-left">
                <UnreadList unread={unread} />
                <RepairBars repairs={repairs} />
              </div>
            </>
          )
        }
      </Shown>
    </ViewPage>
  );
}
