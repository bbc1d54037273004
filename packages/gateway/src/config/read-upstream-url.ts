/** The address of an upstream as it is asked, or what was expected of it. */
export type UpstreamUrl =
  | {
      readonly ok: true;
      readonly url: string;
      /** A key that stood in the address. */
      readonly apiKey?: string;
      /** What was set right, for people. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly expected: string };

/** What people copy from examples of requests; the proxy adds it again. */
const ENDPOINT = /\/(?:chat\/completions|completions|messages|models|responses)$/;

/** Reads the address of an upstream, up to the version. What is missing or too much is set right with a note. */
export function readUpstreamUrl(text: string): UpstreamUrl {
  // `new URL` would leave such characters out, or encode them.
  const isPlain = !/[\s"'<>\\]/.test(text.trim());
  const url = isPlain && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    const meant = withScheme(text);
    const such = (meant && suggestUpstreamUrl(meant)) ?? 'http://127.0.0.1:1234/v1';
    return { ok: false, expected: `an http or https URL such as ${such}` };
  }
  if (url.search !== '' || url.hash !== '') {
    return { ok: false, expected: 'a URL that ends with its path, with nothing behind a ? or #' };
  }
  const key = decode(url.password === '' ? url.username : url.password);
  if (key === undefined) {
    return { ok: false, expected: 'a URL without a key in it: give it as the API key instead' };
  }
  const notes: string[] = [];
  if (key !== '') notes.push('the key in the URL is used as the API key');
  const written = url.pathname.replace(/\/$/, '');
  let path = written.replace(ENDPOINT, '');
  if (path !== written) notes.push(`the URL ends before ${written.slice(path.length)}`);
  if (path === '') {
    path = '/v1';
    notes.push(`${url.origin} has no path: ${url.origin}/v1 is asked`);
  }
  const read = { ok: true, url: url.origin + path, notes } as const;
  return key === '' ? read : { ...read, apiKey: key };
}

/** The address that a text can only mean, be it without its scheme, as `localhost:1234`; undefined for other text. */
export function suggestUpstreamUrl(text: string): string | undefined {
  const read = readUpstreamUrl(withScheme(text) ?? text);
  return read.ok ? read.url : undefined;
}

/** The text with `http://` before it, where it is a host and lacks only that. */
function withScheme(text: string): string | undefined {
  const [host = ''] = text.split('/', 1);
  const isHost = /^[\w.-]+(?::\d{1,5})?$/.test(host) && /^localhost|[.:]/.test(host);
  const url = `http://${text}`;
  return isHost && /^[\w./:-]*$/.test(text) && URL.canParse(url) ? url : undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
