/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createEventBus } from '@forecourt/shared-contracts/events';
import { anonymousSession, createStore, emptySearch } from '@forecourt/shared-contracts/store';
import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { act } from 'react';
import type { BootData, BootSlot } from '../../universal/bootData.ts';
import { librarySite } from '../../testing/librarySite.ts';
import type { TesterBoot } from '../universal/testerBoot.ts';
import { bootWithLocalBuilds } from './startTested.ts';
import { Panel } from './Panel.tsx';
import { createRecorder } from './recorder.ts';
import { whyChosen } from './Releases.tsx';

beforeAll(() => {
  // jsdom has neither.
  Object.assign(globalThis, {
    PerformanceObserver: class {
      observe() {}
      disconnect() {}
    },
    ResizeObserver: class {
      observe() {}
      disconnect() {}
    },
    DOMRect: class {},
  });
});
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

const tester: TesterBoot = {
  hasDevtools: true,
  followsBuilds: false,
  isLocal: false,
  inBrowser: [],
  chosen: [{ remote: 'mfe-results', version: '1.4.0', why: 'live' }],
  slots: [
    {
      slot: 'results',
      remote: 'mfe-results',
      version: '1.4.0',
      criticality: 'required',
      ms: 12.3,
      bytes: 2048,
      emits: ['search.changeRequested'],
      hears: [],
    },
    {
      slot: 'showcase',
      remote: 'mfe-showcase',
      version: null,
      criticality: 'optional',
      bytes: 0,
      failure: 'THREW: x',
      emits: [],
      hears: [],
    },
  ],
};

function open() {
  const store = createStore({ search: emptySearch, session: anonymousSession });
  const bus = createEventBus(() => {});
  const recorder = createRecorder(bus, () => 1234);
  const onClose = jest.fn();
  render(<Panel site={librarySite} store={store} recorder={recorder} tester={tester} onClose={onClose} />);
  return { bus, onClose, user: userEvent.setup() };
}
const tab = (name: string) => screen.getByRole('tab', { name });

describe('devtools', () => {
  it('save a recording of the page for the gate, without what is the visitor’s own', async () => {
    const saved: Blob[] = [];
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}`, revokeObjectURL() {} });
    const { bus, user } = open();
    act(() => bus.emit('search.retryRequested', {}, 'results'));
    act(() => bus.emit('session.changed', { signedIn: true }, 'leads'));
    await user.click(tab('Events'));
    await user.click(screen.getByRole('button', { name: 'Save recording' }));
    expect(JSON.parse(await (saved[0] as Blob).text())).toMatchObject({
      recording: 1,
      slots: [
        { slot: 'results', remote: 'mfe-results', emits: ['search.changeRequested'], hears: [] },
        { slot: 'showcase' },
      ],
      state: { session: { account: null } },
      events: [{ type: 'search.retryRequested', sender: 'results' }],
    });
  });

  it('show server and browser data of each slot, and failures as they occur', () => {
    const { bus } = open();
    const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(`^${name} `) }));
    expect(row('results').getByText('12 ms')).toBeTruthy();
    expect(row('results').getByText('2.0 KB')).toBeTruthy();
    expect(row('showcase').getByText('server: THREW: x')).toBeTruthy();
    act(() => bus.emit('slot.failed', { slot: 'results', phase: 'hydrate', message: 'no match' }, 'shell'));
    expect(row('results').getByText('hydrate: no match')).toBeTruthy();
  });

  it('support arrow keys, fold with a shortcut, and close', async () => {
    const { user, onClose } = open();
    tab('Slots').focus();
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(document.activeElement).toBe(tab('Store'));
    expect(tab('Store').getAttribute('aria-selected')).toBe('true');
    await user.keyboard('{End}');
    // Faults are for one's own machine.
    expect(document.activeElement).toBe(tab('Override'));
    await user.keyboard('{Alt>}{Shift>}D{/Shift}{/Alt}');
    expect(screen.queryByRole('tab')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Devtools' }));
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(onClose).toHaveBeenCalled();
  });

  it('show bus events, filter them and pause', async () => {
    const { bus, user } = open();
    await user.click(tab('Events'));
    const announce = (message: string) => act(() => bus.emit('page.announced', { message }, 'results'));
    announce('one');
    act(() => bus.emit('search.retryRequested', {}, 'results'));
    expect(screen.getByText('2 of 2 events')).toBeTruthy();
    await user.type(screen.getByRole('searchbox', { name: 'Filter' }), 'ANNOUNCED');
    expect(screen.getByText('1 of 2 events')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    announce('two');
    expect(screen.getByText('1 of 2 events')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    expect(screen.getByText('2 of 3 events')).toBeTruthy();
  });
});

describe('reasons for a chosen release', () => {
  const release = { remote: 'mfe-results', version: '1.4.0' } as const;
  const canary = { version: '1.5.0', weight: 5, bucket: 499 };
  it.each([
    [{ ...release, why: 'live' }, ['live']],
    [{ ...release, version: '1.5.0', why: 'canary', canary }, ['the canary: bucket 499 is below 500 (5 %)']],
    [
      { ...release, why: 'live', canary: { ...canary, bucket: 500 } },
      ['live', 'not the canary 1.5.0: bucket 500 is not below 500 (5 %)'],
    ],
    [
      { ...release, why: 'live', refused: { version: '1.5.0', reason: 'needs react ^18' } },
      ['live', 'the last good one: 1.5.0 was refused, needs react ^18'],
    ],
    [{ ...release, why: 'override', override: { until: 0, by: 'dana' } }, ['an override by dana']],
    [
      { ...release, why: 'live', override: { until: 0, by: 'dana', failure: 'status 404' } },
      ['live', 'not the override: status 404'],
    ],
  ] as const)('are described: %#', (chosen, reasons) => expect(whyChosen(chosen)).toEqual(reasons));
});

describe('local build', () => {
  const slot = (changes: Partial<BootSlot>): BootSlot => ({
    slot: 'showcase',
    remote: 'mfe-showcase',
    expose: './showcase',
    hydrate: 'idle',
    wakes: [],
    emits: '',
    hears: '',
    rendered: 'release',
    data: { of: 'the live release' },
    styles: [],
    scripts: [],
    ...changes,
  });
  const boot = {
    state: {},
    requestId: 'x',
    slots: [slot({}), slot({ slot: 'results', remote: 'mfe-results' })],
    remotes: [{ name: 'mfe-showcase', version: '1.0.0', entry: '/remotes/x', integrity: {} }],
    extension: {
      name: 'tester',
      data: { ...tester, inBrowser: [{ remote: 'mfe-showcase', origin: 'http://localhost:5001' }] },
    },
  } as unknown as BootData;
  const build = {
    remote: {
      name: 'mfe-showcase',
      version: '2.0.0',
      entry: 'http://localhost:5001/web/remoteEntry.js',
      integrity: {},
    },
    slots: [slot({ rendered: 'none', data: undefined, scripts: ['http://localhost:5001/web/slots.js'] })],
  };
  const answering = (manifest: () => Response, gate: () => Response) => {
    const ask = jest.fn((url: string) => Promise.resolve(url.startsWith('http') ? manifest() : gate()));
    Object.assign(globalThis, { fetch: ask });
    return ask;
  };
  const banner = () => {
    document.body.innerHTML =
      '<ul><li data-override="mfe-showcase" data-state="used"><span id="fc-override-mfe-showcase">shows it</span></li></ul>';
    return document.querySelector('li') as HTMLElement;
  };

  it('replaces the live release and renders its slots without hydration', async () => {
    answering(
      () => new Response('{}'),
      () => Response.json(build),
    );
    const { remotes, slots } = await bootWithLocalBuilds(boot);
    expect(remotes).toEqual([build.remote]);
    expect(slots).toEqual([{ ...build.slots[0], rendered: 'fallback' }, boot.slots[1]]);
  });

  it.each([
    [
      'is not served',
      () => new Response('', { status: 404 }),
      () => Response.json(build),
      'returned status 404',
    ],
    ['is endless', () => new Response('x'.repeat(300_000)), () => Response.json(build), 'longer than'],
    [
      'is refused by the gate',
      () => new Response('{}'),
      () => Response.json({ error: { message: 'needs react ^18' } }, { status: 422 }),
      'needs react ^18',
    ],
  ])('leaves the live release with a reason in the banner when it %s', async (_, manifest, gate, reason) => {
    answering(manifest, gate);
    const line = banner();
    expect(await bootWithLocalBuilds(boot)).toBe(boot);
    expect(line.dataset['state']).toBe('failed');
    expect(line.textContent).toContain(reason);
  });
});
