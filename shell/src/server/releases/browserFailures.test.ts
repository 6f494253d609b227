import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { startShell, type ShellRig } from '../testing/shellRig.ts';
import { createBrowserFailures, type BrowserFailure } from './browserFailures.ts';
import { watchCanaries, type CanaryWatch, type CanaryWatchOptions } from './canaryWatch.ts';
import { type LiveRemotes, isInCanary } from './snapshot.ts';

const release = (version: string) => tinyRelease({ tiny: '1' }, { name: 'mfe-tiny', version });
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const WEIGHT = 50;
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
const failure = (changes: Partial<BrowserFailure> = {}): BrowserFailure => ({
  name: 'tiny',
  phase: 'hydrate',
  release: 'mfe-tiny@1.1.0',
  visitor: visitorOf(true),
  address: '203.0.113.1',
  ...changes,
});

function rig(remotes = REMOTES) {
  const state = { remotes };
  const record = jest.fn<CanaryWatch['record']>();
  const { report } = createBrowserFailures({ live: () => state.remotes, record });
  return { state, record, report };
}

describe('slot failure in a browser', () => {
  it('counts against the visitor’s release, canary or live', () => {
    const { record, report } = rig();
    report(failure());
    report(
      failure({ visitor: visitorOf(false), release: 'mfe-tiny@1.0.0', phase: 'render', name: 'tiny-2' }),
    );
    expect(record.mock.calls).toEqual([
      ['mfe-tiny', '1.1.0', false],
      ['mfe-tiny', '1.0.0', false],
    ]);
  });

  it.each([
    ['of a release that the visitor does not have', { visitor: visitorOf(false) }],
    ['of a release that is not there', { release: 'mfe-tiny@9.9.9' }],
    ['of a remote that is not there', { release: 'constructor@1.0.0' }],
    ['of no release', { release: undefined }],
    ['of a slot that it has not', { name: 'results' }],
    ['of a file that did not come', { phase: 'load' }],
    ['of no phase', { phase: undefined }],
  ])('does not count when the report is %s', (_, changes) => {
    const { record, report } = rig();
    report(failure(changes));
    expect(record).not.toHaveBeenCalled();
  });

  it('counts once per visitor', () => {
    const { record, report } = rig();
    const visitor = visitorOf(true);
    for (let at = 0; at < 100; at += 1) report(failure({ visitor, address: `203.0.113.${at}` }));
    for (let at = 0; at < 100; at += 1) report(failure({ visitor, address: '203.0.113.1' }));
    expect(record.mock.calls.length).toBe(1);
  });

  it('counts at most twice per address or network', () => {
    const { record, report } = rig();
    for (let at = 0; at < 100; at += 1) report(failure());
    expect(record).toHaveBeenCalledTimes(2);
    for (let at = 0; at < 100; at += 1) report(failure({ address: `2001:db8:0:1::${at.toString(16)}` }));
    expect(record).toHaveBeenCalledTimes(4);
  });

  it('is dropped when no canary is being compared', () => {
    const { record, report, state } = rig();
    const again = failure();
    report(again);
    state.remotes = new Map([['mfe-tiny', { live: release('1.1.0') }]]);
    report(failure({ address: '203.0.113.2' }));
    state.remotes = REMOTES;
    report(again);
    expect(record).toHaveBeenCalledTimes(2);
  });
});

describe('page events', () => {
  const rigs: ShellRig[] = [];
  afterEach(() => Promise.all(rigs.splice(0).map((shell) => shell.stop())));

  async function start() {
    const onWorse = jest.fn<CanaryWatchOptions['onWorse']>();
    const canaries = watchCanaries({ live: () => REMOTES, onWorse, now: () => 0 });
    for (let at = 0; at < 100; at += 1) canaries.record('mfe-tiny', '1.0.0', true);
    const shell = await startShell({ live: REMOTES, deps: { canaries }, environment: { TRUST_PROXY: '1' } });
    rigs.push(shell);
    const report = (address: string, userAgent = CHROME) =>
      shell.send('/cars-for-sale/svc/page-event', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Cookie: `sid=${visitorOf(true)}`,
          'X-Forwarded-For': address,
          'User-Agent': userAgent,
        },
        body: JSON.stringify({
          brand: 'atc',
          page: '/cars-for-sale/all-cars',
          events: [{ type: 'slot.failed', name: 'tiny', phase: 'hydrate', release: 'mfe-tiny@1.1.0' }],
        }),
      });
    return { report, onWorse };
  }

  it('end a canary that many visitors cannot hydrate', async () => {
    const { report, onWorse } = await start();
    for (let at = 1; at <= 5; at += 1) expect((await report(`203.0.113.${at}`)).status).toBe(204);
    expect(onWorse).toHaveBeenCalledTimes(1);
    expect(onWorse.mock.calls[0]?.[0]).toMatchObject({ remote: 'mfe-tiny', version: '1.1.0' });
  });

  it('do not end a canary when one address forges them or crawlers send them', async () => {
    const { report, onWorse } = await start();
    for (let at = 0; at < 20; at += 1) await report('203.0.113.1');
    for (let at = 0; at < 20; at += 1) await report(`198.51.100.${at}`, 'Googlebot/2.1');
    expect(onWorse).not.toHaveBeenCalled();
  });
});
