import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { BROWSER_USER_AGENT, listingIds } from '@forecourt/harness/serverHtml';
import { type Shopper } from '@forecourt/harness/shopper';
import { STALE_NOTE } from '../faults/upstreamFaults.ts';
import { HTTP_TIMEOUT_MS, httpGet, pageOf } from '../pages.ts';

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

export const REQUESTS_PER_SECOND = 20;
/** Every fifth request is a lead. */
const WRITE_EVERY = 5;
/** Every tenth request is a page of a search that nobody has made before. */
const NEW_EVERY = 10;
/** ms until a write without an acknowledgement is sent again; doubled after each further attempt. */
const RETRY_MS = 500;
const LONGEST_RETRY_MS = 8_000;
const READ_EVERY_MS = 1_000;

interface Lead {
  readonly listingId: string;
  readonly ownerId: string;
}

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
  newPages = 0;
  newFailed = 0;
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
  /** Of pages that no shell had cached. */
  readonly newFailures: string[] = [];
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
      const work = this.send(request, lead);
      const tracked = work
        .catch((error: Error) => this.fail(error))
        .finally(() => this.pending.delete(tracked));
      this.pending.add(tracked);
      await wait(Math.max(0, started + ((request + 1) * 1000) / REQUESTS_PER_SECOND - performance.now()));
    }
    await Promise.all(this.pending);
    for (const agent of [this.agent, ...this.senders]) agent.destroy();
  }

  /** Ends the load without waiting for it. */
  end(): void {
    this.isOver = true;
  }

  private fail({ message }: Error): void {
    this.counts.failed += 1;
    this.failures.push(`${this.phase}: ${message}`);
  }

  private send(request: number, lead: Lead): Promise<void> {
    if (request % WRITE_EVERY === 0) return this.write(request, lead);
    if (request % NEW_EVERY === 1) return this.visitNew(request);
    return this.visit(pageOf(request));
  }

  /** A page that no shell can have cached: what it shows, the API must find now. */
  private async visitNew(request: number): Promise<void> {
    this.counts.newPages += 1;
    await this.visit(`${pageOf(Math.floor(request / NEW_EVERY))}?maxPrice=${20_000 + request}`).catch(
      (error: Error) => {
        // In the phase that ends it: a fault also ends searches in flight.
        this.counts.newFailed += 1;
        this.newFailures.push(`${this.phase}: ${error.message}`);
      },
    );
  }

  private async visit(path: string): Promise<void> {
    const { counts } = this;
    const url = this.site + path;
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
    if (problem !== undefined) throw new Error(`${path}: ${problem}`);
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
    const { counts, phase } = this;
    for (let pauseMs = RETRY_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_RETRY_MS)) {
      const url = `${this.site}/cars-for-sale/api/call/emailOwner`;
      const text = await postJson(url, sender, body).catch(({ message }: Error) => message);
      if (text.includes('SUCCESS')) break;
      // Many try again after an outage: then they are told to wait.
      if (text.startsWith('status 4') && !text.startsWith('status 429')) throw new Error(text);
      if (this.isOver) return;
      counts.repeatedWrites += 1;
      this.refusals.push(`${phase}: ${text}`);
      await wait(pauseMs);
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
