import type { HttpExchange, HttpHandler, Route } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import { PAGE_FOLDER, readPage } from './page-file.ts';
import type { PageFile } from './page-file.ts';
import { PAGE_HEADERS } from './page-headers.ts';

export interface DashboardOptions {
  /** Whether there is a page, as of now. Default: always. */
  readonly isOn?: () => boolean;
  /** Where the built page is. Default: where the build puts it. */
  readonly folder?: URL;
}

/** The page of the gateway. It holds nothing secret, so it needs no token; the API that it asks does. */
export function createDashboard(options: DashboardOptions = {}): readonly Route[] {
  const { isOn = () => true, folder = PAGE_FOLDER } = options;
  let page: ReadonlyMap<string, PageFile> | undefined;
  const handle: HttpHandler = async (exchange) => {
    if (!isOn()) throw new RequestError(404, 'not-found', 'the dashboard is turned off');
    // Most gateways are never looked at, and compressing takes longer than starting may.
    page ??= readPage(folder);
    if (page === undefined) {
      throw new RequestError(404, 'not-found', 'the dashboard is not built: npm run build');
    }
    const file = page.get(exchange.path);
    if (file === undefined) {
      throw new RequestError(404, 'not-found', `there is no ${exchange.path} here`);
    }
    send(exchange, file);
  };
  return [
    { method: 'GET', path: '/', isOpen: true, handle },
    { method: 'GET', path: '/assets/*', isOpen: true, handle },
  ];
}

function send({ path, request, response }: HttpExchange, file: PageFile): void {
  const headers = {
    ...PAGE_HEADERS,
    etag: file.etag,
    vary: 'accept-encoding',
    // The name of an asset changes with its content; the page itself has to be asked for.
    'cache-control': path === '/' ? 'no-cache' : 'public, max-age=31536000, immutable',
  };
  if (request.headers['if-none-match'] === file.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  const isZipped = file.gzip !== undefined && takesGzip(request.headers['accept-encoding']);
  const body = isZipped ? file.gzip : file.body;
  response.writeHead(200, {
    ...headers,
    'content-type': file.type,
    'content-length': body.length,
    ...(isZipped && { 'content-encoding': 'gzip' }),
  });
  response.end(body);
}

function takesGzip(accepted: string | readonly string[] = ''): boolean {
  return String(accepted)
    .split(',')
    .map((each) => each.replaceAll(' ', ''))
    .some((each) => each === 'gzip' || (each.startsWith('gzip;') && !/q=0\.?0*$/.test(each)));
}
