import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { Registry } from 'prom-client';
import type { SlotPlacement } from '../layout/placement.ts';
import { tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { createBrowserEvidence } from './browserEvidence.ts';
import { createFailureClaims } from './browserFailures.ts';
import { type CanaryWatch, watchCanaries } from './canaryWatch.ts';
import { watchPredecessors } from './predecessorWatch.ts';
import { chooseSnapshot, type LiveRemotes } from './snapshot.ts';

const CLAIMS = createFailureClaims('a secret of thirty-two characters', () => 0);
const RELEASE = tinyRelease({ grid: '1', side: '1' }, { name: 'mfe-tiny', version: '1.0.0' });
const REMOTES: LiveRemotes = new Map([['mfe-tiny', { live: RELEASE }]]);
const LAYOUT = ['grid', 'side', 'hero'].map((slot) => ({
  slot,
  source: slot === 'hero' ? 'shell' : { remote: 'mfe-tiny' },
})) as unknown as readonly SlotPlacement[];

function rig() {
  const metrics = new Registry();
  const requiredSlots = new Map([['mfe-tiny', new Set(['grid'])]]);
  const live = () => REMOTES;
  const now = () => 0;
  const canaries = {
    record: jest.fn<CanaryWatch['record']>(),
    recordFailedView: jest.fn<CanaryWatch['recordFailedView']>(),
    evidence: () => [],
  };
  const predecessors = watchPredecessors({ live, requiredSlots, onWorse: () => {}, now });
  const evidence = createBrowserEvidence({
    live,
    claims: CLAIMS,
    canaries,
    predecessors,
    requiredSlots,
    metrics,
    now,
  });
  /** A page of a new visitor in which a slot fails. */
  const fail = (name: string, phase: string) => {
    const visitor = randomUUID();
    evidence.sent(LAYOUT, chooseSnapshot(REMOTES, visitor));
    const claim = CLAIMS.sign({ id: randomUUID(), releases: [RELEASE.id] }, visitor);
    const address = `203.0.113.${Math.trunc(Math.random() * 250)}`;
    return evidence.report({ name, phase, release: RELEASE.id, claim, visitor, address, message: 'broken' });
  };
  return { evidence, metrics, canaries, fail };
}

describe('what browsers say about live releases', () => {
  it('is counted by release, slot and phase, and a failed download is no bad view', () => {
    const { evidence, canaries, fail } = rig();
    expect(fail('grid', 'hydrate')).toBe('counted');
    expect(fail('grid', 'evaluate')).toBe('counted');
    expect(fail('grid', 'load')).toBe('counted');
    expect(fail('side', 'budget')).toBe('counted');
    expect(evidence.slots()).toEqual([
      {
        release: 'mfe-tiny@1.0.0',
        slot: 'grid',
        browser: expect.objectContaining({
          good: 2,
          bad: 2,
          phases: { hydrate: 1, evaluate: 1, load: 1 },
          lastFailure: { at: '1970-01-01T00:00:00.000Z', code: 'load', message: 'broken' },
        }),
      },
      {
        release: 'mfe-tiny@1.0.0',
        slot: 'side',
        browser: expect.objectContaining({ good: 3, bad: 1, phases: { budget: 1 } }),
      },
    ]);
    expect(canaries.recordFailedView).toHaveBeenCalledTimes(3);
    expect(canaries.record).toHaveBeenCalledTimes(8);
  });

  it('has metrics that tell required slots from others', async () => {
    const { metrics, fail } = rig();
    fail('grid', 'render');
    const text = await metrics.metrics();
    const labels = 'slot="grid",release="mfe-tiny@1.0.0",required="true"';
    expect(text).toContain(`forecourt_browser_slot_views_total{${labels}} 1`);
    expect(text).toContain(`forecourt_browser_slot_failures_total{${labels},phase="render"} 1`);
    expect(text).toContain('slot="side",release="mfe-tiny@1.0.0",required="false"} 1');
    expect(text).not.toContain('slot="hero"');
  });

  it.each(['evaluate', 'hydrate', 'render', 'run', 'budget'])(
    'ends a canary that fails in the phase %s, by its slot',
    (phase) => {
      const canary = tinyRelease({ grid: '2', side: '2' }, { name: 'mfe-tiny', version: '2.0.0' });
      const remotes: LiveRemotes = new Map([
        ['mfe-tiny', { live: RELEASE, canary: { release: canary, weight: 50 } }],
      ]);
      const live = () => remotes;
      const now = () => 0;
      const requiredSlots = new Map([['mfe-tiny', new Set(['grid'])]]);
      const onWorse = jest.fn<Parameters<typeof watchCanaries>[0]['onWorse']>();
      const evidence = createBrowserEvidence({
        live,
        claims: CLAIMS,
        canaries: watchCanaries({ live, requiredSlots, onWorse, now }),
        predecessors: watchPredecessors({ live, requiredSlots, onWorse: () => {}, now }),
        requiredSlots,
        metrics: new Registry(),
        now,
      });
      for (let page = 0; page < 200 && onWorse.mock.calls.length === 0; page += 1) {
        const visitor = randomUUID();
        const snapshot = chooseSnapshot(remotes, visitor);
        evidence.sent(LAYOUT, snapshot);
        const release = snapshot.get('mfe-tiny')?.id ?? '';
        if (release !== canary.id || page % 2 === 0) continue;
        const claim = CLAIMS.sign({ id: randomUUID(), releases: [release] }, visitor);
        const address = `203.0.${page}.1`;
        evidence.report({ name: 'side', phase, release, claim, visitor, address, message: 'broken' });
      }
      expect(onWorse).toHaveBeenCalledWith({
        remote: 'mfe-tiny',
        version: '2.0.0',
        reason: expect.stringMatching(/^slot side failed in browsers \d+ of \d+ times in the canary/),
      });
      const side = evidence.slots().find(({ release, slot }) => release === canary.id && slot === 'side');
      expect(side?.browser.phases[phase]).toBeGreaterThan(0);
      expect(side?.browser.lastFailure).toMatchObject({ code: phase, message: 'broken' });
    },
  );

  it('leaves overrides out', () => {
    const { evidence } = rig();
    const other = { ...RELEASE, id: `${RELEASE.id}+override.1` };
    evidence.sent(LAYOUT, new Map([['mfe-tiny', other]]));
    expect(evidence.slots()).toEqual([]);
  });
});
