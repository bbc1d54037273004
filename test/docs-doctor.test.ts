import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryIo } from '../packages/gateway/src/cli/memory-io.case.ts';
import { run } from '../packages/gateway/src/cli/run.ts';
import { startDemoUpstream } from '../packages/gateway/src/demo-upstream/start-demo-upstream.ts';
import type { DemoUpstream } from '../packages/gateway/src/demo-upstream/start-demo-upstream.ts';
import { readPage } from './support/markdown.ts';
import { readText } from './support/repository.ts';

/** Ports and times differ from run to run. */
const same = (text: string): string =>
  text.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:…').replaceAll(/in \d+ ms/g, 'in … ms');

describe('docs/doctor.md', () => {
  let upstream: DemoUpstream;
  beforeAll(async () => {
    upstream = await startDemoUpstream({ pauseMs: 0 });
  });
  afterAll(() => upstream.close());

  it('shows what the doctor prints', async () => {
    const io = memoryIo();
    await run(['doctor', '--upstream', upstream.url, '--model', 'harmony'], io);
    const shown = readPage(readText('docs/doctor.md')).fences.find(
      ({ language }) => language === 'text',
    );

    expect(same(`${shown?.body.join('\n') ?? ''}\n`)).toBe(same(io.out()));
  });
});
