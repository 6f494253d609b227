import { Agent, get, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { BROWSER_USER_AGENT, getPage, listingIds } from '@forecourt/harness/serverHtml';
import { type Shopper, STALE_NOTE } from './faults/shopper.ts';

/** A search with results in every inventory. */
export const PAGE = '/cars-for-sale/all/ford';

const HTTP_TIMEOUT_MS = 30_000;

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

/** The response to a write of the site's own page. Rejects with status and body unless its status is 200. */
const postJson = (url: string, agent: Agent, body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = {
      'user-agent': BROWSER_USER_AGENT,
      'content-type': 'application/json',
      'x-requested-with': 'forecourt',
      origin: new URL(url).origin,
    };
    const request = httpRequest(url, { agent, method: 'POST', headers }, (response) => {
      const { statusCode: status } = response;
      // A body that isn't read keeps its connection.
      text(response).then(
        (body) =>
          status === 200 ? resolve(body) : reject(new Error(`status ${status}: ${body.slice(0, 200)}`)),
        reject,
      );
    });
    request.setTimeout(HTTP_TIMEOUT_MS, () => request.destroy());
    request.on('error', reject).end(body);
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

export const REQUESTS_PER_SECOND = 20;
/** Every fifth request is a lead. */
const WRITE_EVERY = 5;
export const MAKES = 'ford toyota honda chevrolet nissan jeep bmw kia hyundai subaru'.split(' ');
/** ms between two attempts of a write without an acknowledgement. */
const RETRY_MS = 500;
const READ_EVERY_MS = 1_000;

interface Lead {
  readonly listingId: string;
  readonly ownerId: string;
}

export const pageOf = (visit: number): string => `/cars-for-sale/all/${MAKES[visit % MAKES.length]}`;

/** What is wrong with a page; undefined for a complete one with results. */
function problemOf(status: number, html: string): string | undefined {
  if (status !== 200) return `status ${status}`;
  if (!html.endsWith('</html>')) return 'truncated';
  if (listingIds(html).length === 0 && !html.includes('class="fc-plain"')) return 'no results';
  return undefined;
}

/** Counts of one phase. */
export class Counts {
  pages = 0;
  stale = 0;
  truncated = 0;
  repeatedWrites = 0;
  failed = 0;
  unreadable = 0;
}

/** Anonymous visitors and senders of leads, at a constant rate whatever the site does. */
export class Traffic {
  readonly phases = new Map<string, Counts>();
  readonly failures: string[] = [];
  readonly acknowledged: string[] = [];
  /** Why leads had to be sent again. */
  readonly refusals: string[] = [];
  readonly seconds: number[] = [];
  /** Of one signed-in visitor, who reads after each write. */
  readonly reads = { count: 0, wrong: [] as string[] };
  counts = new Counts();
  private readonly site: string;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 256 });
  /** Of other networks: each may write twice a second. */
  private readonly senders = Array.from(
    { length: 20 },
    (_, at) => new Agent({ keepAlive: true, localAddress: `127.0.0.${at + 10}` }),
  );
  private readonly pending = new Set<Promise<void>>();
  private phase = '';
  private isOver = false;

  constructor(site: string) {
    this.site = site;
  }

  begin(phase: string): void {
    this.phase = phase;
    this.counts = new Counts();
    this.phases.set(phase, this.counts);
  }

  async run(lead: Lead): Promise<void> {
    const started = performance.now();
    for (let request = 0; !this.isOver; request += 1) {
      const work = request % WRITE_EVERY === 0 ? this.write(request, lead) : this.visit(request);
      const tracked = work
        .catch((error: Error) => this.fail(error))
        .finally(() => this.pending.delete(tracked));
      this.pending.add(tracked);
      await wait(Math.max(0, started + ((request + 1) * 1000) / REQUESTS_PER_SECOND - performance.now()));
    }
    await Promise.all(this.pending);
    for (const agent of [this.agent, ...this.senders]) agent.destroy();
  }

  stop(): void {
    this.isOver = true;
  }

  private fail({ message }: Error): void {
    this.counts.failed += 1;
    this.failures.push(`${this.phase}: ${message}`);
  }

  private async visit(request: number): Promise<void> {
    const { counts } = this;
    const url = this.site + pageOf(request);
    const started = performance.now();
    counts.pages += 1;
    let page = await httpGet(url, this.agent);
    if (!page.isComplete) {
      // What a killed process was sending, no other one can continue.
      counts.truncated += 1;
      page = await httpGet(url, this.agent);
    }
    this.seconds.push((performance.now() - started) / 1000);
    const html = page.body.toString();
    const problem = problemOf(page.status, html);
    if (problem !== undefined) throw new Error(`${pageOf(request)}: ${problem}`);
    if (html.includes(STALE_NOTE)) counts.stale += 1;
  }

  /** Sends a lead until it is acknowledged, always with the same key. */
  private async write(request: number, lead: Lead): Promise<void> {
    const key = `lead-${String(request).padStart(6, '0')}`;
    const body = JSON.stringify({
      ...lead,
      firstName: 'Ada',
      lastName: 'Byron',
      fromEmailAddress: 'ada@example.com',
      comments: key,
      idempotencyKey: key,
    });
    const sender = this.senders[(request / WRITE_EVERY) % this.senders.length]!;
    for (const { counts, phase } = this; ; counts.repeatedWrites += 1) {
      const url = `${this.site}/cars-for-sale/api/call/emailOwner`;
      const text = await postJson(url, sender, body).catch(({ message }: Error) => message);
      if (text.includes('SUCCESS')) break;
      if (text.startsWith('status 4')) throw new Error(text);
      if (this.isOver) return;
      this.refusals.push(`${phase}: ${text}`);
      await wait(RETRY_MS);
    }
    this.acknowledged.push(key);
  }

  /** Saves and removes vehicles as one visitor, and expects each write on the next page that lists them. */
  async readOwnWrites(shopper: Shopper, listings: readonly string[]): Promise<void> {
    for (let round = 0; !this.isOver; round += 1) {
      const listingId = listings[Math.floor(round / 2) % listings.length]!;
      const isSaved = round % 2 === 0;
      const call = isSaved ? 'saveListing' : 'unsaveListing';
      while (!(await this.attempt(() => shopper.write(this.site, call, { listingId })))) await wait(RETRY_MS);
      let list: string | undefined;
      while (list === undefined && !this.isOver) {
        await this.attempt(async () => {
          const { status, text } = await shopper.open(`${this.site}/account/saved-vehicles`);
          if (status !== 200 || !text.includes('</html>')) throw new Error(`status ${status}`);
          list = text;
        });
        if (list === undefined) await wait(RETRY_MS);
      }
      this.reads.count += 1;
      if (list !== undefined && list.includes(`/cars-for-sale/vehicle/${listingId}`) !== isSaved)
        this.reads.wrong.push(`${this.phase}: ${listingId} ${isSaved ? 'missing' : 'still there'}`);
      await wait(READ_EVERY_MS);
    }
  }

  private async attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch {
      this.counts.unreadable += 1;
      return this.isOver;
    }
  }
}
