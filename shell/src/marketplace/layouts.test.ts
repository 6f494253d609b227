import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { RootState } from '@forecourt/search/state';
import { buildListing, buildState } from '@forecourt/search/testing';
import { renderPlacement } from '../engine/compose/renderSlots.ts';
import type { SlotPlacement } from '../engine/layout/placement.ts';
import type { Sandbox } from '../engine/rendering/process/sandbox.ts';
import { fixtures, hostileRelease } from '../engine/rendering/testing/hostileReleases.ts';
import { recordingRenderer, testSandboxes } from '../engine/rendering/testing/processRenderer.ts';
import { renderJob } from '../engine/rendering/testing/tinyRelease.ts';
import { createSlotBreakers } from '../engine/rendering/slotBreakers.ts';
import { SITE_PLAN } from './site.ts';

// A fixture proves a protection only if it succeeds without it.

jest.setTimeout(60_000);

let built: Awaited<ReturnType<typeof testSandboxes>>;
let sandbox: Sandbox;
beforeAll(async () => {
  built = await testSandboxes(['process'], { program: join(import.meta.dirname, '../releaseProgram.ts') });
  sandbox = built.sandboxes.get('process') as Sandbox;
});
afterAll(() => built.remove());

const opened: { close: () => Promise<void> }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((renderer) => renderer.close())));

const ATTACKS = ['reads-the-account', 'reads-what-it-does-not-need', 'calls-in-the-visitors-name'];

it('has a proof for each fixture that the layout stops', () => {
  const stopped = [...fixtures.values()].filter(({ stoppedBy }) => stoppedBy === 'layout');
  expect(stopped.map(({ name }) => name).sort()).toEqual([...ATTACKS].sort());
});

const ADA = { firstName: 'Ada', email: 'ada@example.com' };

/** A signed-in visitor with a search. */
function visitorState(): RootState {
  const base = buildState();
  const session = { ...base.session, signedIn: true, account: ADA };
  return { ...base, session, search: { ...base.search, listings: [buildListing()] } };
}

describe('the layout', () => {
  const PLACEMENT = {
    slot: 'showcase',
    source: { remote: 'mfe-showcase' },
    criticality: 'optional',
    deadlineMs: 5_000,
    hydrate: 'load',
    reserve: { narrow: '0', wide: '0' },
    mayRead: ['session', 'search.criteria'],
  } satisfies SlotPlacement;

  it.each(ATTACKS)('stops %s, which succeeds when a slot gets everything', async (name) => {
    const { renderer } = recordingRenderer(sandbox, { state: SITE_PLAN.state });
    opened.push(renderer);
    const release = hostileRelease(name, {
      slot: 'showcase',
      remote: 'mfe-showcase',
      reads: PLACEMENT.mayRead,
    });
    await renderer.prepare(release);
    const data = { savedListings: [{ listingId: '1001' }] };
    const call = () => Promise.resolve({ data, source: 'current' as const });
    const { signal } = new AbortController();
    const stopped = await renderPlacement(
      PLACEMENT,
      {
        renderer,
        site: { ...SITE_PLAN, ownSlots: {} },
        slotBreakers: createSlotBreakers(),
        metrics: { start: () => () => {} },
        logSlot: () => {},
      },
      {
        state: visitorState(),
        snapshot: new Map([['mfe-showcase', release]]),
        requestId: 'r',
        signal,
        call,
      },
    );
    expect(stopped.rendered?.html).toContain(`>${name} attacked`);
    const everything = { state: visitorState(), deadlineMs: 5_000, call: () => Promise.resolve(data) };
    const unstopped = await renderer.render(renderJob(release, 'showcase', everything));
    expect(unstopped.html).toContain('LOOT');
  });
});
