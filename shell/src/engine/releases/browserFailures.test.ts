import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { shellReportSchema } from '@forecourt/releases/shellReport';
import { LIBRARY_PLAN } from '../testing/libraryPlan.ts';
import { tinyRelease } from '../rendering/testing/tinyRelease.ts';
import type { TestResponse } from '../testing/appRig.ts';
import { startLibrary, type LibraryRig } from '../testing/startLibrary.ts';
import {
  createBrowserFailures,
  type BrowserFailure,
  type BrowserVital,
  type CountedFailure,
  createFailureClaims,
} from './browserFailures.ts';
import { watchCanaries, type CanaryWatch, type CanaryWatchOptions } from './canaryWatch.ts';
import { shellProvides } from './releaseLoader.ts';
import { type LiveRemotes, chooseSnapshot, isInCanary } from './snapshot.ts';

const release = (version: string) => tinyRelease({ tiny: '1' }, { name: 'mfe-tiny', version });
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const WEIGHT = 5;
const GATE_TOKEN = 'a-token-of-the-registry';
const GATE = {
  provides: shellProvides(LIBRARY_PLAN),
  tryOut: () => Promise.reject(new Error('tries nothing')),
  pages: () => [],
};
/** As browsers read it; '' without one. */
const claimIn = (headers: TestResponse['headers']): string =>
  /claim;desc="([^"]*)"/.exec(String(headers['server-timing']))?.[1] ?? '';
const REMOTES: LiveRemotes = new Map([
  ['mfe-tiny', { live: release('1.0.0'), canary: { release: release('1.1.0'), weight: WEIGHT } }],
]);
/** A visitor whose pages are made of the canary, or are not. */
function visitorOf(isCanary: boolean): string {
  for (;;) {
    const visitor = randomUUID();
    if (isInCanary(visitor, 'mfe-tiny', WEIGHT) === isCanary) return visitor;
  }
}
const SECRET = 'a secret of thirty-two characters';
const CLAIMS = createFailureClaims(SECRET, Date.now);
/** The claim of a new page view of the visitor. */
function claimOf(visitor: string, claims = CLAIMS): string {
  const releases = [...chooseSnapshot(REMOTES, visitor).values()].map(({ id }) => id);
  return claims.sign({ id: randomUUID(), releases }, visitor);
}
function failure(changes: Partial<BrowserFailure> = {}): BrowserFailure {
  const { visitor = visitorOf(true) } = changes;
  return {
    name: 'tiny',
    phase: 'hydrate',
    release: 'mfe-tiny@1.1.0',
    claim: claimOf(visitor),
    visitor,
    address: '203.0.113.1',
    ...changes,
  };
}

function rig(remotes = REMOTES) {
  const state = { remotes, now: 0 };
  const count = jest.fn<(failure: CountedFailure) => void>();
  const recordVital = jest.fn<CanaryWatch['record']>();
  const { report, reportVital } = createBrowserFailures({
    live: () => state.remotes,
    claims: CLAIMS,
    now: () => state.now,
    count,
    recordVital,
    measure: () => {},
  });
  return { state, count, recordVital, report, reportVital };
}

describe('slot failure in a browser', () => {
  it('counts against the visitor’s release, canary or live', () => {
    const { count, report } = rig();
    report(failure({ message: 'no match' }));
    report(
      failure({ visitor: visitorOf(false), release: 'mfe-tiny@1.0.0', phase: 'render', name: 'tiny-2' }),
    );
    const counted = { remote: 'mfe-tiny', slot: 'tiny' };
    expect(count.mock.calls).toEqual([
      [{ ...counted, version: '1.1.0', phase: 'hydrate', message: 'no match' }],
      [{ ...counted, version: '1.0.0', phase: 'render', message: '' }],
    ]);
  });

  it.each([
    ['of a release that the visitor does not have', { visitor: visitorOf(false) }],
    ['of a release that is not there', { release: 'mfe-tiny@9.9.9' }],
    ['of a remote that is not there', { release: 'constructor@1.0.0' }],
    ['of no release', { release: undefined }],
    ['of a slot that it has not', { name: 'shelf' }],
    ['of no phase', { phase: undefined }],
    ['of another phase', { phase: 'constructor' }],
  ])('does not count when the report is %s', (_, changes) => {
    const { count, report } = rig();
    report(failure(changes));
    expect(count).not.toHaveBeenCalled();
  });

  it('counts once per visitor', () => {
    const { count, report } = rig();
    const visitor = visitorOf(true);
    for (let at = 0; at < 100; at += 1) report(failure({ visitor, address: `203.0.113.${at}` }));
    for (let at = 0; at < 100; at += 1) report(failure({ visitor, address: '203.0.113.1' }));
    expect(count.mock.calls.length).toBe(1);
  });

  it('counts at most twice per address or network', () => {
    const { count, report } = rig();
    for (let at = 0; at < 100; at += 1) report(failure());
    expect(count).toHaveBeenCalledTimes(2);
    for (let at = 0; at < 100; at += 1) report(failure({ address: `2001:db8:0:1::${at.toString(16)}` }));
    expect(count).toHaveBeenCalledTimes(4);
  });

  it.each<[string, () => Partial<BrowserFailure>, string]>([
    ['without a claim', () => ({ claim: '' }), 'unsigned'],
    ['with a made-up claim', () => ({ claim: '9999999999 page-view mfe-tiny@1.1.0 signature' }), 'forged'],
    ['with the claim of another visitor', () => ({ claim: claimOf(visitorOf(true)) }), 'forged'],
    ['of a release that the page did not have', () => ({ release: 'mfe-tiny@1.0.0' }), 'foreign'],
    ['of a slot that the release does not have', () => ({ name: 'shelf' }), 'foreign'],
    ['of an unknown phase', () => ({ phase: 'other' }), 'ignored'],
    ['of a remote that the page did not have', () => ({ release: 'mfe-other@1.0.0' }), 'foreign'],
  ])('does not count %s', (_, changes, outcome) => {
    const { count, report } = rig();
    expect(report({ ...failure(), ...changes() })).toBe(outcome);
    expect(count).not.toHaveBeenCalled();
  });

  it('does not count with a claim for other releases of the same visitor', () => {
    const { count, report } = rig();
    const visitor = visitorOf(true);
    const claim = CLAIMS.sign({ id: randomUUID(), releases: ['mfe-tiny@1.0.0', 'mfe-tiny@1.1.01'] }, visitor);
    expect(report(failure({ visitor, claim }))).toBe('foreign');
    expect(count).not.toHaveBeenCalled();
  });

  it('counts one claim once, also for another instance of the slot or from another address', () => {
    const { count, report } = rig();
    const first = failure();
    expect(report(first)).toBe('counted');
    expect(report(first)).toBe('replayed');
    expect(report({ ...first, name: 'tiny-2', address: '198.51.100.1' })).toBe('replayed');
    expect(report({ ...first, claim: claimOf(first.visitor) })).toBe('limited');
    expect(count).toHaveBeenCalledTimes(1);
  });

  it('counts of a live release without a canary too', () => {
    const { count, report } = rig(new Map([['mfe-tiny', { live: release('1.1.0') }]]));
    expect(report(failure())).toBe('counted');
    expect(count).toHaveBeenCalledTimes(1);
  });

  it('counts a failed download beside the failure that follows it', () => {
    const { count, report } = rig();
    const late = failure({ phase: 'load' });
    expect(report(late)).toBe('counted');
    expect(report(late)).toBe('limited');
    expect(report({ ...late, phase: 'evaluate' })).toBe('counted');
    expect(count.mock.calls.map(([{ phase }]) => phase)).toEqual(['load', 'evaluate']);
  });

  it('counts a visitor again after an hour', () => {
    const { count, report, state } = rig();
    const again = failure();
    report(again);
    state.now = 61 * 60_000;
    report({ ...again, claim: claimOf(again.visitor) });
    expect(count).toHaveBeenCalledTimes(2);
  });
});

describe('web vital of a page', () => {
  const vital = (changes: Partial<BrowserVital> = {}): BrowserVital => ({
    ...failure(),
    name: 'INP',
    value: 200,
    ...changes,
  });

  it('counts for the release that is being compared on the page, good or slow', () => {
    const { recordVital, reportVital } = rig();
    expect(reportVital(vital())).toBe('counted');
    const visitor = visitorOf(false);
    reportVital(vital({ visitor, claim: claimOf(visitor), name: 'LCP', value: 2_501 }));
    const measured = { remote: 'mfe-tiny', kind: 'vital' };
    expect(recordVital.mock.calls).toEqual([
      [{ ...measured, version: '1.1.0', name: 'INP', isGood: true }],
      [{ ...measured, version: '1.0.0', name: 'LCP', isGood: false }],
    ]);
  });

  it('counts INP and LCP of a page view once each, and each once per visitor', () => {
    const { recordVital, reportVital } = rig();
    const first = vital();
    expect(reportVital(first)).toBe('counted');
    expect(reportVital({ ...first, value: 9_000 })).toBe('replayed');
    expect(reportVital({ ...first, name: 'LCP' })).toBe('counted');
    expect(reportVital({ ...first, claim: claimOf(first.visitor) })).toBe('limited');
    expect(recordVital).toHaveBeenCalledTimes(2);
  });

  it('counts at most twice per address', () => {
    const { recordVital, reportVital } = rig();
    for (let at = 0; at < 20; at += 1) reportVital(vital());
    expect(recordVital).toHaveBeenCalledTimes(2);
  });

  it.each<[string, Partial<BrowserVital>, string]>([
    ['without a claim', { claim: '' }, 'unsigned'],
    ['with the claim of another visitor', { claim: claimOf(visitorOf(true)) }, 'forged'],
    ['that is not compared', { name: 'CLS' }, 'ignored'],
    ['with the name of no vital', { name: 'constructor' }, 'ignored'],
  ])('does not count %s', (_, changes, outcome) => {
    const { recordVital, reportVital } = rig();
    expect(reportVital(vital(changes))).toBe(outcome);
    expect(recordVital).not.toHaveBeenCalled();
  });

  it('does not count on a page with other releases, or when no canary is being compared', () => {
    const { recordVital, reportVital, state } = rig();
    const visitor = visitorOf(true);
    const claim = CLAIMS.sign({ id: randomUUID(), releases: ['mfe-tiny@0.9.0'] }, visitor);
    expect(reportVital(vital({ visitor, claim }))).toBe('foreign');
    state.remotes = new Map([['mfe-tiny', { live: release('1.1.0') }]]);
    expect(reportVital(vital())).toBe('ignored');
    expect(recordVital).not.toHaveBeenCalled();
  });
});

describe('page events', () => {
  const rigs: LibraryRig[] = [];
  afterEach(() => Promise.all(rigs.splice(0).map((shell) => shell.stop())));

  async function start() {
    const onWorse = jest.fn<CanaryWatchOptions['onWorse']>();
    const canaries = watchCanaries({ live: () => REMOTES, requiredSlots: new Map(), onWorse, now: () => 0 });
    const live = { remote: 'mfe-tiny', version: '1.0.0', isGood: true };
    for (let at = 0; at < 200; at += 1) {
      canaries.record({ ...live, kind: 'browser', name: 'tiny' });
      canaries.record({ ...live, kind: 'vital', name: 'INP' });
    }
    const shell = await startLibrary({
      live: REMOTES,
      adapters: { canaries, failureClaims: CLAIMS, gate: GATE },
      environment: { TRUST_PROXY: '1', GATE_TOKEN },
    });
    rigs.push(shell);
    /** The claim with the page of a visitor. */
    async function openPage(visitor: string): Promise<string> {
      const { headers, text } = await shell.send('/library/shelf', {
        headers: { Cookie: `sid=${visitor}`, 'User-Agent': CHROME },
      });
      const claim = claimIn(headers);
      // The page is the same for other visitors.
      expect(text).not.toContain(claim === '' ? visitor : claim);
      return claim;
    }
    const send = (visitor: string, fields: object, { address = '203.0.113.1', userAgent = CHROME } = {}) =>
      shell.send('/library/svc/page-event', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Cookie: `sid=${visitor}`,
          'X-Forwarded-For': address,
          'User-Agent': userAgent,
        },
        body: JSON.stringify({
          page: '/library/shelf',
          events: [{ type: 'slot.failed', name: 'tiny', phase: 'hydrate', release: 'mfe-tiny@1.1.0' }],
          ...fields,
        }),
      });
    /** A page of a new visitor, and its failure. */
    async function report(address: string, userAgent = CHROME) {
      const visitor = visitorOf(true);
      return send(visitor, { claim: await openPage(visitor) }, { address, userAgent });
    }
    const outcomes = async () => {
      const metric = await shell.metrics.getSingleMetric('forecourt_browser_reports_total')?.get();
      return Object.fromEntries(
        (metric?.values ?? []).map(({ labels, value }) => [labels['outcome'], value]),
      );
    };
    /** What the shell's report says about the slot of the canary in browsers. */
    async function reported() {
      const { text } = await shell.send('/releases/report', {
        headers: { Authorization: `Bearer ${GATE_TOKEN}` },
      });
      const { slots } = shellReportSchema.parse(JSON.parse(text));
      return slots.find(({ release: id, slot }) => id === 'mfe-tiny@1.1.0' && slot === 'tiny')?.browser;
    }
    return { report, send, openPage, outcomes, reported, onWorse, metrics: shell.metrics };
  }

  it('tell the report what a slot does and how long its clicks take, each view once', async () => {
    const { send, openPage, reported } = await start();
    const use = { events: 8, calls: 4, elements: 120, busyMs: 300, seconds: 240 };
    const events = [
      { type: 'web-vital', name: 'INP', value: 80, slot: 'tiny', release: 'mfe-tiny@1.1.0' },
      { type: 'slot.used', name: 'tiny', release: 'mfe-tiny@1.1.0', use },
    ];
    const visitor = visitorOf(true);
    const claim = await openPage(visitor);
    for (let at = 0; at < 2; at += 1) await send(visitor, { claim, events });
    // Without the claim of a page, and of a release that the page does not have.
    await send(visitor, { events });
    await send(visitor, { claim: await openPage(visitorOf(false)), events });
    expect((await reported())?.figures).toEqual({
      inpMs: { p75: 80, views: 1 },
      eventsPerMinute: { p75: 2, views: 1 },
      callsPerMinute: { p75: 1, views: 1 },
      elements: { p75: 120, views: 1 },
      busyMsPerMinute: { p75: 75, views: 1 },
    });
  });

  it('count a view of less than a minute as a minute', async () => {
    const { send, openPage, reported } = await start();
    const use = { events: 8, calls: 4, elements: 120, busyMs: 300, seconds: 2 };
    const visitor = visitorOf(true);
    const events = [{ type: 'slot.used', name: 'tiny', release: 'mfe-tiny@1.1.0', use }];
    await send(visitor, { claim: await openPage(visitor), events });
    expect((await reported())?.figures?.eventsPerMinute).toEqual({ p75: 8, views: 1 });
  });

  it('end a canary that many visitors cannot hydrate', async () => {
    const { report, onWorse, outcomes } = await start();
    for (let at = 1; at <= 5; at += 1) expect((await report(`203.0.113.${at}`)).status).toBe(204);
    expect(onWorse).toHaveBeenCalledTimes(1);
    expect(onWorse.mock.calls[0]?.[0]).toMatchObject({
      remote: 'mfe-tiny',
      version: '1.1.0',
      reason: expect.stringMatching(/^slot tiny failed in browsers 5 of 5 times in the canary/) as unknown,
    });
    expect(await outcomes()).toEqual({ counted: 5 });
  });

  it('end a canary that makes clicks slow, and count its times by slot and release', async () => {
    const { send, openPage, onWorse, outcomes, metrics } = await start();
    const events = [
      { type: 'web-vital', name: 'INP', value: 600, slot: 'tiny', release: 'mfe-tiny@1.1.0' },
      { type: 'web-vital', name: 'TTFB', value: 90, slot: 'other', release: 'mfe-tiny@1.1.0' },
    ];
    for (let at = 1; at <= 5; at += 1) {
      const visitor = visitorOf(true);
      await send(visitor, { claim: await openPage(visitor), events }, { address: `203.0.113.${at}` });
    }
    expect(onWorse).toHaveBeenCalledTimes(1);
    expect(onWorse.mock.calls[0]?.[0].reason).toMatch(/^INP was slow in 5 of 5 measurements/);
    expect(await outcomes()).toEqual({ counted: 5, ignored: 5 });
    const text = await metrics.metrics();
    expect(text).toContain(
      'forecourt_web_vital_seconds_sum{name="INP",slot="tiny",release="mfe-tiny@1.1.0"} 3',
    );
    // A slot that the release does not have is no label.
    expect(text).toContain('forecourt_web_vital_seconds_count{name="TTFB",slot="",release=""} 5');
  });

  it('do not end a canary when one address forges them or crawlers send them', async () => {
    const { report, onWorse, outcomes } = await start();
    for (let at = 0; at < 20; at += 1) await report('203.0.113.1');
    for (let at = 0; at < 20; at += 1) await report(`198.51.100.${at}`, 'Googlebot/2.1');
    expect(onWorse).not.toHaveBeenCalled();
    expect(await outcomes()).toEqual({ counted: 2, limited: 18, ignored: 20 });
  });

  it('do not end a canary when many addresses send them without having loaded a page', async () => {
    const { send, openPage, onWorse, outcomes } = await start();
    const stolen = await openPage(visitorOf(true));
    const expired = (visitor: string) =>
      claimOf(
        visitor,
        createFailureClaims(SECRET, () => Date.now() - 30 * 60_000),
      );
    const otherSecret = createFailureClaims('another secret of 32 characters!!', Date.now);
    const attacks: readonly ((visitor: string) => object)[] = [
      () => ({}),
      () => ({ claim: 7 }),
      () => ({ claim: 'x'.repeat(20_000) }),
      () => ({ claim: stolen }),
      (visitor) => ({ claim: claimOf(visitor, otherSecret) }),
      (visitor) => ({ claim: expired(visitor) }),
    ];
    for (const [at, attack] of attacks.entries())
      for (let visit = 0; visit < 6; visit += 1) {
        const visitor = visitorOf(true);
        const { status } = await send(visitor, attack(visitor), { address: `203.0.${at}.${visit}` });
        expect(status).toBe(204);
      }
    expect(onWorse).not.toHaveBeenCalled();
    expect(await outcomes()).toEqual({ unsigned: 18, forged: 12, expired: 6 });
  });

  it('count once for one page view, however often and from wherever its claim is sent', async () => {
    const { send, openPage, onWorse, outcomes } = await start();
    const visitor = visitorOf(true);
    const claim = await openPage(visitor);
    for (let at = 0; at < 20; at += 1) await send(visitor, { claim }, { address: `203.0.113.${at}` });
    expect(onWorse).not.toHaveBeenCalled();
    expect(await outcomes()).toEqual({ counted: 1, replayed: 19 });
  });

  it('carry a claim of their own on each response with one cached page', async () => {
    const { openPage } = await start();
    const [first, second] = [visitorOf(true), visitorOf(true)];
    const claims = [await openPage(first), await openPage(second)] as const;
    expect(claims[0]).not.toBe(claims[1]);
    expect(CLAIMS.read(claims[0], first)).toMatchObject({ view: { releases: ['mfe-tiny@1.1.0'] } });
    expect(CLAIMS.read(claims[1], second)).toMatchObject({ view: { releases: ['mfe-tiny@1.1.0'] } });
    expect(CLAIMS.read(claims[1], first)).toEqual({ refusal: 'forged' });
    const live = visitorOf(false);
    expect(CLAIMS.read(await openPage(live), live)).toMatchObject({ view: { releases: ['mfe-tiny@1.0.0'] } });
  });
});

describe('a page without a canary', () => {
  it('carries a claim for its live releases, whose failures are counted by slot and phase', async () => {
    const shell = await startLibrary({
      live: new Map([['mfe-tiny', { live: release('1.0.0') }]]),
      adapters: { failureClaims: CLAIMS },
    });
    const visitor = randomUUID();
    const headers = { Cookie: `sid=${visitor}`, 'User-Agent': CHROME };
    const page = await shell.send('/library/shelf', { headers });
    const claim = claimIn(page.headers);
    expect(CLAIMS.read(claim, visitor)).toMatchObject({ view: { releases: ['mfe-tiny@1.0.0'] } });
    await shell.send('/library/svc/page-event', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        page: '/library/shelf',
        claim,
        events: [{ type: 'slot.failed', name: 'tiny', phase: 'evaluate', release: 'mfe-tiny@1.0.0' }],
      }),
    });
    const metrics = await shell.metrics.metrics();
    await shell.stop();
    expect(metrics).toMatch(
      /forecourt_browser_slot_failures_total\{slot="tiny",release="mfe-tiny@1\.0\.0",required="false",phase="evaluate"\} 1/,
    );
    expect(metrics).toContain('forecourt_browser_reports_total{outcome="counted"} 1');
  });
});
