import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatBodyOf } from '../support/chat-stream-of.ts';
import { connectSdkV2 } from '../support/connect-sdk-v2.ts';
import { needsPart } from '../support/needs-part.ts';
import { openBrowser } from '../support/open-browser.ts';
import { openPage } from '../support/open-page.ts';
import type { OpenPage } from '../support/open-page.ts';
import { root } from '../support/repository.ts';
import { startGateway } from '../support/start-gateway.ts';
import type { RunningGateway } from '../support/start-gateway.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';

const chromium = needsPart('chromium');

/** What would run, or fetch something, were it taken for more than text. */
const payloadsFor = (elsewhere: string): readonly string[] => [
  // Elements that fetch.
  ...[
    '<img src="~">',
    '<img srcset="~ 1x">',
    '<picture><source srcset="~"><img></picture>',
    '<video src="~" autoplay></video>',
    '<video poster="~"></video>',
    '<audio src="~" autoplay></audio>',
    '<track src="~">',
    '<iframe src="~"></iframe>',
    '<frameset><frame src="~"></frameset>',
    '<object data="~"></object>',
    '<embed src="~">',
    '<link rel="stylesheet" href="~">',
    '<link rel="prefetch" href="~"><link rel="dns-prefetch" href="~">',
    '<script src="~"></script>',
    '<input type="image" src="~">',
    '<body background="~">',
    '<table background="~"><td background="~">',
    '<svg><image href="~"/></svg>',
    '<svg><use href="~#a"/></svg>',
    '<svg><feImage href="~"/></svg>',
    '<style>@import "~";</style>',
    '<div style="background:url(~)">',
    '<li style="list-style-image:url(~)">',
    '<style>body{cursor:url(~),auto}</style>',
    '<meta http-equiv="refresh" content="0;url=~">',
    '<base href="~/">',
    '<a href="~" ping="~">look</a>',
    '<form action="~"><button autofocus>send</button></form>',
    '<html manifest="~">',
    '<math href="~"><mi>x</mi></math>',
    '![picture](~)',
    '[![picture](~)](~)',
    '<~>',
  ].map((payload) => payload.replaceAll('~', `${elsewhere}/fetched`)),
  // What runs.
  ...[
    '<script>@</script>',
    '<ScRiPt>@</sCrIpT>',
    '</script><script>@</script>',
    '</textarea></title></style><script>@</script>',
    '<img src=x onerror=@>',
    '<img src=x onerror="&#119;indow.pwned=1">',
    '<img/src=x/onerror=@//',
    '<svg onload="@">',
    '<svg><script>@</script></svg>',
    '<svg><animate onbegin="@" attributeName="x" dur="1s">',
    '<svg><a href="javascript:@"><text>look</text></a></svg>',
    '"><body onload=@>',
    "'><details open ontoggle=@>",
    '<input autofocus onfocus=@>',
    '<video onerror=@><source>',
    '<marquee onstart=@>',
    '<iframe srcdoc="<script>parent.@</script>"></iframe>',
    '<iframe src="javascript:parent.@"></iframe>',
    '<a href="javascript:@" autofocus>look</a>',
    '<a href="java&#10;script:@">look</a>',
    '<a href="data:text/html,<script>@</script>">look</a>',
    '<math><mtext></p><script>@</script></mtext></math>',
    '<noscript><p title="</noscript><script>@</script>">',
    '<template><script>@</script></template>',
    '<div style="width:expression(@)">',
    '[link](javascript:@)',
    "{{constructor.constructor('@')()}}",
    '${@} #{@} <%= @ %> [[@]]',
    '\u003cscript\u003e@\u003c/script\u003e',
    '\u202e<script>@</script>\u2066',
  ].map((payload) => payload.replaceAll('@', 'window.pwned=1')),
];

describe.skipIf(chromium.isMissing)(`hostile text on the dashboard${chromium.why}`, () => {
  let browser: Browser;
  let page: OpenPage;
  let upstream: ScriptedUpstream;
  /** Hears of it where something was fetched. */
  let elsewhere: ScriptedUpstream;
  let gateway: RunningGateway;
  let payloads: readonly string[];
  const dialogs: string[] = [];
  const strange: string[] = [];

  beforeAll(async () => {
    elsewhere = await startScriptedUpstream({ body: '{}' });
    payloads = payloadsFor(elsewhere.origin);
    const written = payloads.map((payload) => {
      const call = { name: 'look', arguments: { [payload]: payload } };
      return `${payload}\n<tool_call>\n${JSON.stringify(call)}\n</tool_call>\n`;
    });
    upstream = await startScriptedUpstream({ body: chatBodyOf(written.join('\n')) });
    const tools = ['look', '<img src=x onerror=window.pwned=1>'];
    gateway = await startGateway({
      upstreams: [{ name: 'one', url: upstream.url }],
      observe: { history: false, capture: true, reveal: true },
      mcp: {
        servers: {
          moody: {
            command: process.execPath,
            args: [join(root, 'test/support/moody-server.mjs'), ...tools],
          },
        },
      },
    });
    for (const model of payloads) await turn(model);
    await failTools();
    browser = await openBrowser();
    page = await openPage(browser);
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${gateway.url}/`)) strange.push(request.url());
    });
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    await gateway.close();
    await Promise.all([upstream.close(), elsewhere.close()]);
  });

  async function turn(model: string): Promise<void> {
    const parameters = { type: 'object' };
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model,
        messages: [{ role: 'user', content: model }],
        tools: [{ type: 'function', function: { name: 'look', parameters } }],
      }),
    });
    expect(answer.status).toBe(200);
    await answer.text();
  }

  async function failTools(): Promise<void> {
    const client = await connectSdkV2({ url: `${gateway.url}/mcp` });
    await client.callTool('mood', { is: 'failing' });
    for (const { name } of await client.listTools())
      if (name !== 'mood') for (const _ of payloads) await client.callTool(name);
    await client.close();
  }

  async function expectHarmless(): Promise<void> {
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(dialogs).toEqual([]);
    expect(strange).toEqual([]);
    // Nothing of it became an element that the policy then had to refuse.
    expect(page.problems).toEqual([]);
    expect(elsewhere.requests).toEqual([]);
  }

  it.each(['overview', 'circuits', 'parsing', 'tools', 'requests'])(
    'is text in %s, and fetches and runs nothing',
    async (view) => {
      await page.goto(`${gateway.url}/#/${view}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      await expectHarmless();
    },
  );

  it('is text in a request, as the model wrote it and as the client got it', async () => {
    await page.goto(`${gateway.url}/#/requests`);
    await page.getByRole('row').getByRole('link').first().click();
    const wrote = page.getByRole('region', { name: 'What the model wrote' });
    await wrote.waitFor();
    const text = (await wrote.textContent()) ?? '';

    for (const payload of payloads) expect(text).toContain(payload);
    await page.getByRole('region', { name: 'What the client got' }).waitFor();
    await expectHarmless();
  });
});
