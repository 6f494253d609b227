import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { createRateLimits } from '@forecourt/service-kit/rateLimits';
import { liveReleases } from '../rendering/testing/tinyRelease.ts';
import type { TestResponse } from '../testing/appRig.ts';
import { readLibraryConfig, SHELF_LAYOUT } from '../testing/libraryPlan.ts';
import { libraryVisitors, startLibrary, type LibraryRig } from '../testing/startLibrary.ts';
import { chargeRender, isOverBudget, limitRenders } from './clientLimits.ts';
import { createContentPolicy } from './contentPolicy.ts';
import { createRequestContext, resolveVisitor } from './requestContext.ts';

const PAGE = '/library/shelf';
const BOT = { 'User-Agent': 'Googlebot/2.1' };
const WINDOW_MS = 60_000;
/** Releases that fill every slot, so that pages are stored. */
const live = liveReleases(SHELF_LAYOUT);

const rigs: LibraryRig[] = [];
const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
  for (const server of servers.splice(0)) server.close();
});

/** A shell whose pages take at least so many ms. */
async function start(environment: Record<string, string>, ms = 0): Promise<LibraryRig> {
  const rig = await startLibrary({
    live,
    environment: { TRUST_PROXY: '1', ...environment },
    answers: {
      shelf: async () => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        return { books: [] };
      },
    },
  });
  rigs.push(rig);
  return rig;
}
const from = (network: string, more: Record<string, string> = {}) => ({
  headers: { 'X-Forwarded-For': network, ...more },
});
/** Requests pages that no cache has until one is refused. */
async function useUp(
  { send }: LibraryRig,
  headersOf: (n: number) => ReturnType<typeof from>,
): Promise<TestResponse> {
  for (let n = 0; n < 40; n += 1) {
    const response = await send(`${PAGE}?x=${n}`, headersOf(n));
    if (response.status !== 200) return response;
  }
  throw new Error('nothing was refused');
}

describe('the budget of rendering time', () => {
  it('of a network is spent by costly pages; then it gets stored pages, and 429 for others', async () => {
    const rig = await start({ RENDER_LIMITS: 'secondsPerMinute=1' }, 120);
    expect((await rig.send(PAGE, from('203.0.113.1'))).status).toBe(200);
    const refused = await useUp(rig, () => from('203.0.113.1'));
    expect(refused).toMatchObject({ status: 429 });
    expect(refused.text).toContain('Please wait a minute, then try again.');
    expect(refused.headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': expect.any(String) });
    expect(refused.headers['ratelimit-policy']).toContain('"render-ms"; q=1000; w=60');
    expect(refused.headers['ratelimit']).toContain('"render-ms"; r=0; t=');
    expect((await rig.send('/library/api/shelf?x=9', from('203.0.113.1'))).status).toBe(429);
    expect((await rig.send('/catalog.xml', from('203.0.113.1'))).status).toBe(429);
    expect((await rig.send(PAGE, from('203.0.113.1'))).status).toBe(200);
    expect((await rig.send(`${PAGE}?x=other`, from('203.0.113.2'))).status).toBe(200);
    expect(await rig.metrics.metrics()).toContain('forecourt_budget_spent_total{budget="render-ms"}');
  });

  it('of an account is one budget for all its networks', async () => {
    const rig = await start({ RENDER_LIMITS: 'secondsPerMinute=1' }, 120);
    const ada = { Cookie: 'card=Ada' };
    const refused = await useUp(rig, (n) => from(`203.0.113.${n}`, ada));
    expect(refused.status).toBe(429);
    expect(refused.headers['ratelimit']).toContain('"account-render-ms"; r=0; t=');
    const eve = { Cookie: 'card=Eve' };
    expect((await rig.send(`${PAGE}?x=eve`, from('203.0.113.200', eve))).status).toBe(200);
    expect((await rig.send('/reader', from('203.0.113.201', ada))).status).toBe(429);
  });

  it('is not spent by waiting for a slow upstream', async () => {
    const visit = await serveCosts(() => Date.now());
    expect([await visit(5000), await visit(5000), await visit(5000)]).toEqual([5000, 5000, 5000]);
    expect([await visit(5000), await visit(1)]).toEqual([5000, 0]);
  });

  it('is not spent by pages from the cache', async () => {
    const rig = await start({ RENDER_LIMITS: 'secondsPerMinute=1' });
    for (let n = 0; n < 40; n += 1) expect((await rig.send(PAGE, from('203.0.113.1'))).status).toBe(200);
  });

  it('grants no more than the limit and what pages in flight cost beyond their share, and refills', async () => {
    const limitMs = 1000;
    const batches = fc.array(fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 12,
    });
    let at = Date.now();
    const visit = await serveCosts(() => at);
    await fc.assert(
      fc.asyncProperty(batches, async (costs) => {
        at += 2 * WINDOW_MS;
        let granted = 0;
        for (const together of costs) {
          const before = granted;
          const spent = await Promise.all(together.map((ms) => visit(ms)));
          granted += spent.reduce((sum, ms) => sum + ms, 0);
          // Once the limit is reached, nothing is granted; before, at most the pages in flight go beyond it.
          const inFlight = together.reduce((sum, ms) => sum + ms, 0);
          if (before >= limitMs) expect(granted).toBe(before);
          else expect(granted).toBeLessThanOrEqual(limitMs + inFlight);
        }
        at += WINDOW_MS;
        expect(await visit(1)).toBe(1);
      }),
      { numRuns: 60 },
    );
  });
});

/** A server on which each page costs what its request says. Resolves to a client, which resolves to the cost that was granted. */
async function serveCosts(now: () => number): Promise<(ms: number) => Promise<number>> {
  const options = readLibraryConfig({ RENDER_LIMITS: 'pagesPerMinute=100000,secondsPerMinute=1' });
  const visitors = libraryVisitors;
  const policy = createContentPolicy({
    remotes: () => [].values(),
    scriptHashes: [],
    formTargets: [],
    connectTargets: [],
    reportsTo: '/reports',
  });
  const page: RequestHandler = (request, response) => {
    if (isOverBudget(response)) return void response.sendStatus(429);
    chargeRender(response, Number(request.query['ms']));
    return void response.sendStatus(200);
  };
  const app = express().use(
    createRequestContext({ clock: () => new Date(), visitors, policy }),
    resolveVisitor(visitors),
    ...limitRenders({ limits: createRateLimits({ now }), metrics: new Registry() }, options),
    page,
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return async (ms) => {
    const response = await fetch(`http://127.0.0.1:${port}/?ms=${ms}`);
    await response.text();
    return response.status === 200 ? ms : 0;
  };
}

describe('a crawler', () => {
  it('gets a page that was stored minutes ago, for which nothing is rendered', async () => {
    let at = Date.parse('2026-06-15T12:00:00Z');
    const rig = await startLibrary({
      live,
      adapters: { clock: () => new Date(at) },
    });
    rigs.push(rig);
    const visit = async (headers: Record<string, string>) => {
      const response = await rig.send(PAGE, { headers });
      await new Promise((resolve) => setTimeout(resolve, 20));
      return /page;desc="(\w+)"/.exec(String(response.headers['server-timing']))?.[1];
    };
    const loads = () => rig.calls.filter(({ name }) => name === 'shelf').length;
    expect([await visit({}), await visit(BOT)]).toEqual(['miss', 'miss']);
    at += 9 * 60_000;
    expect([await visit(BOT), await visit(BOT)]).toEqual(['stale', 'stale']);
    expect(loads()).toBe(2);
    expect(await visit({})).toBe('miss');
    at += 2 * 60_000;
    expect(await visit(BOT)).toBe('miss');
  });
});
