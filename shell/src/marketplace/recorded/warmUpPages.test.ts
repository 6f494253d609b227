import { afterEach, describe, expect, it } from '@jest/globals';
import type { SlotModule } from '@forecourt/slots';
import { CALLS } from '@forecourt/upstream/calls';
import type { EngineAdapters } from '../../engine/index.ts';
import { createResponseParser } from '../../engine/gateway/responseParser.ts';
import { RenderFailure, type RenderedSlot, type RenderJob } from '../../engine/rendering/slotRenderer.ts';
import { textSlot, tinyRelease } from '../../engine/rendering/testing/tinyRelease.ts';
import { startAppRig } from '../../engine/testing/appRig.ts';
import { warmUp } from '../../engine/warmUp/warmUp.ts';
import { warmUpAdapters } from '../../engine/warmUp/warmUpAdapters.ts';
import { createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { PAGE_LAYOUTS } from '../layouts.ts';
import hero from '../results/slots/hero.tsx';
import { SITE_PLAN } from '../site.ts';
import { warmUpPages } from './warmUpPages.ts';

let stop: () => Promise<void> = () => Promise.resolve();
afterEach(() => stop());

/** Releases of all remotes, whose slots read the results and the visitor. */
function liveReleases() {
  const slots = new Map<string, Record<string, string>>();
  for (const { slot, source } of Object.values(PAGE_LAYOUTS).flat())
    if (source !== 'shell') slots.set(source.remote, { ...slots.get(source.remote), [slot]: textSlot(slot) });
  const reads = ['search.listings', 'search.criteria', 'session'];
  return new Map(
    [...slots].map(([name, sources]) => [name, { live: tinyRelease(sources, { name, reads }) }]),
  );
}

const related = hero as unknown as SlotModule;

/** A shell of which everything that a visitor's page leaves behind is observed. */
async function start(render?: (job: RenderJob) => Promise<RenderedSlot>) {
  const traces: string[] = [];
  const jobs: RenderJob[] = [];
  const { reference, ...pages } = warmUpPages();
  const config = readConfig({ CACHE_SECONDS: 'pages=60,slots=60' });
  let given: EngineAdapters | undefined;
  const rig = await startAppRig(
    {
      table: CALLS,
      speculationRules: SITE_PLAN.speculationRules,
      live: liveReleases(),
      answers: {
        search: () => CALLS.search.response.parse(pages.responseAt(CALLS.search.path)),
      },
      render(job) {
        jobs.push(job);
        return render?.(job) ?? Promise.resolve({ html: `<p>${job.slot}</p>`, data: null });
      },
    },
    (adapters) => {
      const { limits } = adapters;
      given = {
        ...adapters,
        limits: {
          ...limits,
          store(options) {
            const store = limits.store(options);
            return {
              ...store,
              increment(client, cost) {
                traces.push(`limit ${options.name}`);
                return store.increment(client, cost);
              },
            };
          },
        },
        canaries: { record: ({ name }: { name: string }) => traces.push(`canary ${name}`) } as never,
        onReadiness: () => traces.push('readiness'),
      };
      traces.length = 0;
      return createApp({ ...given, reference, ownSlots: { hero, related } } as never, config);
    },
  );
  stop = rig.stop;
  traces.length = 0;
  const missing = new Set<string>();
  const run = async (maxPages: number) => {
    const ending = new AbortController();
    const adapters = warmUpAdapters(given!, {
      calls: SITE_PLAN.calls,
      parse: createResponseParser(SITE_PLAN.calls),
      logLevel: 'info',
      responseAt(pathname) {
        const response = pages.responseAt(pathname);
        if (!response) missing.add(pathname);
        return response;
      },
      onCostly: () => ending.abort(),
    });
    const app = createApp({ ...adapters, reference, ownSlots: { hero, related } } as never, config);
    return warmUp(app, {
      pathOf: pages.pathOf,
      host: 'localhost:3000',
      maxPages,
      cpuMs: 20_000,
      signal: ending.signal,
    });
  };
  return { rig, run, traces, jobs, missing, pages };
}

describe('the pages that warm up a shell', () => {
  it('are results pages, each another one, with every call answered and nobody named', async () => {
    const { run, jobs, missing } = await start();
    expect(await run(6)).toMatchObject({ pages: 6, failed: 0 });
    expect([...missing]).toEqual([]);
    const results = jobs.filter(({ slot }) => slot === 'results');
    expect(results).toHaveLength(6);
    const states = results.map(({ state }) => JSON.stringify(state));
    expect(new Set(states).size).toBe(6);
    for (const { isPersonal, state } of jobs) {
      expect(isPersonal).toBe(false);
      const { session } = state as unknown as { session?: Record<string, unknown> };
      if (session) expect([session['signedIn'], session['account'] ?? null]).toEqual([false, null]);
    }
    expect(JSON.stringify(results[0]!.state).match(/"vin":/g)!.length).toBeGreaterThanOrEqual(30);
  });

  it('leave no trace: no metric, line, call, count of a limit, canary’s render or cached page', async () => {
    const { rig, run, traces, pages } = await start();
    const before = await rig.metrics.metrics();
    expect(await run(4)).toMatchObject({ failed: 0 });
    expect(await rig.metrics.metrics()).toBe(before);
    expect(rig.log).toEqual([]);
    expect(rig.calls).toEqual([]);
    expect(traces).toEqual([]);
    const { status, headers } = await rig.send(pages.pathOf(0));
    expect([status, headers['server-timing']]).toEqual([200, expect.stringContaining('miss')]);
    // The same page of a visitor leaves all of them.
    expect(await rig.metrics.metrics()).not.toBe(before);
    expect(rig.log.length * rig.calls.length * traces.length).toBeGreaterThan(0);
  });

  it('end when a release’s process dies or hangs', async () => {
    const { run } = await start(({ slot }) =>
      slot === 'results'
        ? Promise.reject(new RenderFailure('DIED', 'its process is gone'))
        : Promise.resolve({ html: `<p>${slot}</p>`, data: null }),
    );
    expect((await run(50)).pages).toBeLessThanOrEqual(4);
  });
});
