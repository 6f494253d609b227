import { type Agent, get, type IncomingHttpHeaders } from 'node:http';
import { BROWSER_USER_AGENT, getPage, listingIds } from '@forecourt/harness/serverHtml';

/** A search with results in every inventory. */
export const PAGE = '/cars-for-sale/all/ford';

export const HTTP_TIMEOUT_MS = 30_000;

/** The HTML of a complete page with results. @throws Error that says what is wrong with the page */
export async function completePage(url: string): Promise<string> {
  const { status, html } = await getPage(url);
  if (status !== 200) throw new Error(`status ${status}`);
  if (!html.endsWith('</html>')) throw new Error(`the page is truncated after ${html.length} characters`);
  // On a busy machine the results slot may miss its deadline; then the shell lists the vehicles itself.
  if (listingIds(html).length === 0 && !html.includes('class="fc-plain"'))
    throw new Error('the page has no results');
  return html;
}

/** Path of a release's entry file, as the page references it. */
export function entryPath(html: string, remote: string): string {
  const path = new RegExp(`/remotes/${remote}/[^"]+?remoteEntry\\.js`).exec(html)?.[0];
  if (path === undefined) throw new Error(`the page references no files of ${remote}`);
  return path;
}

/** Requests a page and a file of the release that it was rendered with. */
export async function visitPageAndFile(origin: string, path: string, remote: string): Promise<string> {
  const html = await completePage(origin + path);
  const entry = entryPath(html, remote);
  const file = await fetch(origin + entry);
  const { byteLength } = await file.arrayBuffer();
  if (file.status !== 200 || byteLength === 0) throw new Error(`status ${file.status} for ${entry}`);
  return html;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** False if the connection closed before the end of the body. */
  readonly isComplete: boolean;
  /** ms from the request to the first and the last byte of the body. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** One GET. Rejects without a response; a truncated response resolves with `isComplete: false`. */
export const httpGet = (url: string, agent: Agent, encoding = 'identity'): Promise<HttpResponse> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const headers = { 'user-agent': BROWSER_USER_AGENT, 'accept-encoding': encoding };
    const request = get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      let firstMs = NaN;
      response.on('data', (chunk: Buffer) => {
        if (chunks.length === 0) firstMs = performance.now() - started;
        chunks.push(chunk);
      });
      // `complete` is false when the body was truncated.
      response.on('error', () => undefined);
      response.on('close', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
          isComplete: response.complete,
          firstMs,
          lastMs: performance.now() - started,
        }),
      );
    });
    request.setTimeout(HTTP_TIMEOUT_MS, () =>
      request.destroy(new Error(`no response within ${HTTP_TIMEOUT_MS / 1000} s`)),
    );
    request.on('error', reject);
  });

/** When the slots of one page arrived, in ms after its first byte. */
export interface Arrivals {
  /** By slot; only slots with content. */
  readonly slots: ReadonlyMap<string, number>;
  /** The result of `matches`; the HTML of thousands of pages is not stored. */
  readonly isMatch: boolean;
}

/**
 * Reads a page as it arrives. The first bytes are sent right before the slots are rendered, and each slot is sent as
 * a whole: its time includes its own rendering and that of the slots before it.
 * @throws Error when the page is truncated
 */
export async function readArrivals(url: string, matches: (html: string) => boolean): Promise<Arrivals> {
  const response = await fetch(url, {
    headers: { 'user-agent': BROWSER_USER_AGENT, 'accept-encoding': 'identity' },
  });
  if (response.status !== 200 || !response.body) throw new Error(`status ${response.status}`);
  const slots = new Map<string, number>();
  const decoder = new TextDecoder();
  let html = '';
  let started: number | undefined;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    started ??= performance.now();
    // An attribute may be split between two chunks.
    const from = Math.max(0, html.length - 40);
    html += decoder.decode(chunk, { stream: true });
    for (const [, slot = ''] of html.slice(from).matchAll(/data-slot="([a-z-]+)"/g))
      if (!slots.has(slot)) slots.set(slot, performance.now() - started);
  }
  if (!html.endsWith('</html>')) throw new Error(`the page is truncated after ${html.length} characters`);
  return { slots, isMatch: matches(html) };
}

export const MAKES = 'ford toyota honda chevrolet nissan jeep bmw kia hyundai subaru'.split(' ');

/** Results of another make with each visit. */
export const pageOf = (visit: number): string => `/cars-for-sale/all/${MAKES[visit % MAKES.length]}`;
