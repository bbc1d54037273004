import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { lines, rawRequest } from '../http/raw-request.case.ts';
import { runningServer } from '../http/running-server.case.ts';
import type { RunningServer } from '../http/running-server.case.ts';
import { sendJson } from '../http/send-json.ts';
import { createDashboard } from './create-dashboard.ts';

const SCRIPT = 'export const page = 1;\n'.repeat(100);
const root = mkdtempSync(join(tmpdir(), 'holdfast-page-'));
mkdirSync(join(root, 'assets'));
writeFileSync(join(root, 'index.html'), '<!doctype html><title>Holdfast</title>');
writeFileSync(join(root, 'assets', 'page-abc123.js'), SCRIPT);
writeFileSync(join(root, 'assets', 'mark.svg'), '<svg/>');
writeFileSync(join(root, 'secret.txt'), 'not of the page');
const folder = pathToFileURL(`${root}/`);
afterAll(() => rmSync(root, { recursive: true }));

const running = (options: Parameters<typeof createDashboard>[0] = {}): Promise<RunningServer> =>
  runningServer(undefined, {
    token: 'the-token',
    routes: [
      ...createDashboard({ folder, ...options }),
      {
        method: 'GET',
        path: '/api/v1/status',
        handle: async ({ response }) => sendJson(response, 200, {}),
      },
    ],
  });

describe('the page', () => {
  test('is there without a token, while the API is not', async () => {
    const { url } = await running();

    const page = await fetch(url);

    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toContain('<title>Holdfast</title>');
    expect((await fetch(`${url}/api/v1/status`)).status).toBe(401);
  });

  test('runs nothing but its own files, and in no frame', async () => {
    const { url } = await running();

    for (const path of ['/', '/assets/page-abc123.js']) {
      const { headers } = await fetch(`${url}${path}`);
      const policy = headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
    }
  });

  test('has assets that are kept for ever, and is asked for anew itself', async () => {
    const { url } = await running();

    const asset = await fetch(`${url}/assets/page-abc123.js`);
    const page = await fetch(url);
    const again = await fetch(url, { headers: { 'if-none-match': page.headers.get('etag')! } });

    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });

  test.each([
    ['gzip, deflate, br', 'gzip'],
    ['br;q=1.0, gzip;q=0.8', 'gzip'],
    ['identity', null],
    ['gzip;q=0', null],
    ['gzip; q=0.0', null],
    ['x-gzip', null],
  ])('is compressed for who takes gzip: %s', async (accepted, encoding) => {
    const { port } = await running();

    const answer = await rawRequest(
      port,
      lines(
        'GET /assets/page-abc123.js HTTP/1.1',
        'Host: localhost',
        `Accept-Encoding: ${accepted}`,
      ),
    );

    expect(answer.headers['content-encoding'] ?? null).toBe(encoding);
  });

  test('is the same compressed', async () => {
    const { url } = await running();

    // What fetch hands out is decompressed already; that it is what was written says that it was right.
    const answer = await fetch(`${url}/assets/page-abc123.js`);

    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(SCRIPT.length / 5);
    expect(await answer.text()).toBe(SCRIPT);
  });

  test.each(['/assets/', '/assets/none.js', '/assets/secret.txt', '/assets/%2e%2e/secret.txt'])(
    'has no %s',
    async (path) => {
      const { port } = await running();

      const answer = await rawRequest(port, lines(`GET ${path} HTTP/1.1`, 'Host: localhost'));

      expect([400, 404]).toContain(answer.status);
      expect(JSON.stringify(answer)).not.toContain('not of the page');
    },
  );

  test('opens from a link on another page, in a tab and not in a frame', async () => {
    const { port } = await running();
    const ask = async (path: string, destination: string): Promise<number> => {
      const { status } = await rawRequest(
        port,
        lines(
          `GET ${path} HTTP/1.1`,
          'Host: localhost',
          'Sec-Fetch-Site: cross-site',
          'Sec-Fetch-Mode: navigate',
          `Sec-Fetch-Dest: ${destination}`,
        ),
      );
      return status;
    };

    expect(await ask('/', 'document')).toBe(200);
    expect(await ask('/', 'iframe')).toBe(403);
    expect(await ask('/api/v1/status', 'document')).toBe(403);
  });

  test('leaves HEAD / to who only looks whether anybody is there', async () => {
    const { url } = await running();

    const answer = await fetch(url, { method: 'HEAD' });

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBeNull();
  });

  test('takes GET only', async () => {
    const { url } = await running();

    const headers = { 'x-holdfast-token': 'the-token', 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', body: '{}', headers });

    expect(answer.status).toBe(405);
  });

  test('says so where it is turned off or not built', async () => {
    const off = await running({ isOn: () => false });
    const unbuilt = await running({ folder: new URL('nowhere/', folder) });

    expect(await (await fetch(off.url)).text()).toContain('the dashboard is turned off');
    expect((await fetch(unbuilt.url)).status).toBe(404);
    expect(await (await fetch(unbuilt.url)).text()).toContain('npm run build');
  });
});
