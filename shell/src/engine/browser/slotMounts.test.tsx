/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createEventBus, EVENT_SCHEMAS, type BusEvent } from '@forecourt/shared-contracts/events';
import {
  defineSlot,
  SlotOutlet,
  useSlotEnvironment,
  type SlotModule,
} from '@forecourt/shared-contracts/slots';
import { renderSlot } from '@forecourt/shared-contracts/slots/server';
import { createStore, usePageState } from '@forecourt/shared-contracts/store';
import { buildState } from '@forecourt/shared-contracts/testing';
import { waitFor } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { eventCodes } from '../universal/eventCodes.ts';
import type { BootSlot } from '../universal/bootData.ts';
import { librarySite } from '../testing/librarySite.ts';
import { PermanentError } from './call.ts';
import { mountSlots } from './slotMounts.ts';

const Count = () => <p>{usePageState(({ search }) => search.totalResultCount)} cars</p>;
const count = defineSlot({ needs: ['search.totalResultCount'], view: Count });

const ALL_EVENTS = eventCodes(Object.keys(EVENT_SCHEMAS), Object.keys(EVENT_SCHEMAS));

const slotOf = (overrides: Partial<BootSlot> & { slot: string }): BootSlot => ({
  remote: 'mfe-x',
  expose: `./${overrides.slot}`,
  hydrate: 'load',
  wakes: [],
  emits: ALL_EVENTS,
  hears: ALL_EVENTS,
  rendered: 'none',
  data: undefined,
  styles: [],
  scripts: [],
  ...overrides,
});

const mark = jest.fn();
const observers: { run: (isIntersecting: boolean) => void; margin: string | undefined }[] = [];

function setUp(slots: BootSlot[], modules: Record<string, () => SlotModule>, html = '') {
  document.body.innerHTML = html || slots.map(({ slot }) => `<div id="slot-${slot}"></div>`).join('');
  const state = buildState({ totalResultCount: 5 });
  const store = createStore(state);
  const events: BusEvent[] = [];
  const bus = createEventBus(({ type, reason }) => {
    throw new Error(`${type}: ${reason}`);
  });
  bus.all.subscribe((event) => events.push(event));
  const loadModule = jest.fn(({ slot }: BootSlot): Promise<SlotModule> => {
    const make = modules[slot];
    return make ? Promise.resolve(make()) : Promise.reject(new PermanentError(`no ${slot}`));
  });
  const remotes = [{ name: 'mfe-x', version: '1.4.0', entry: '/entry.js', integrity: {} }];
  const boot = { state, slots, remotes, requestId: 'r1', failureClaim: '' };
  void mountSlots({ site: librarySite, boot, store, bus, loadModule, loadStyle: () => Promise.resolve() });
  const element = (slot: string) => document.getElementById(`slot-${slot}`) as HTMLElement;
  return { store, bus, events, loadModule, element };
}

describe('mountSlots', () => {
  beforeEach(() => {
    (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = false;
    observers.length = 0;
    Object.assign(window, {
      requestIdleCallback: jest.fn(),
      IntersectionObserver: class {
        constructor(run: (entries: object[]) => void, options: IntersectionObserverInit) {
          observers.push({ run: (isIntersecting) => run([{ isIntersecting }]), margin: options.rootMargin });
        }
        observe() {}
        disconnect() {}
      },
    });
    mark.mockClear();
    performance.mark = mark as never;
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('mounts a load slot at once and marks when it is interactive', async () => {
    const { element } = setUp([slotOf({ slot: 'filters' })], { filters: () => count });
    await waitFor(() => expect(element('filters')).toHaveTextContent('5 cars'));
    await waitFor(() => expect(mark).toHaveBeenCalledWith('slot:filters:hydrated'));
  });

  it('mounts an idle slot when the browser is idle, within a time limit', () => {
    const { loadModule } = setUp([slotOf({ slot: 'hero', hydrate: 'idle' })], { hero: () => count });
    const [run, options] =
      (window.requestIdleCallback as jest.Mock<typeof requestIdleCallback>).mock.calls[0] ?? [];
    expect(loadModule).not.toHaveBeenCalled();
    expect(options?.timeout).toBeGreaterThan(0);
    run?.({} as IdleDeadline);
    expect(loadModule).toHaveBeenCalledTimes(1);
  });

  it('mounts a visible slot when it comes near the viewport', () => {
    const { loadModule } = setUp([slotOf({ slot: 'below', hydrate: 'visible' })], { below: () => count });
    expect(observers[0]?.margin).toBe('300px');
    observers[0]?.run(false);
    expect(loadModule).not.toHaveBeenCalled();
    observers[0]?.run(true);
    expect(loadModule).toHaveBeenCalledTimes(1);
  });

  it("hydrates a late slot against the server's state, then follows the store", async () => {
    const { html } = await renderSlot(count, {
      slot: 'filters',
      state: buildState({ totalResultCount: 5 }),
      call: () => Promise.reject(new Error('unused')),
      signal: new AbortController().signal,
    });
    const { element, store, events } = setUp(
      [slotOf({ slot: 'filters', hydrate: 'idle', rendered: 'release' })],
      { filters: () => count },
      `<div id="slot-filters">${html}</div>`,
    );
    const served = element('filters').querySelector('p');
    const page = { ...store.getState().search, totalResultCount: 9 };
    store.dispatch({ type: 'search/searchLoaded', payload: { requestId: 'r1', page } });
    (window.requestIdleCallback as jest.Mock<typeof requestIdleCallback>).mock.calls[0]?.[0](
      {} as IdleDeadline,
    );
    await waitFor(() => expect(element('filters')).toHaveTextContent('9 cars'));
    expect(element('filters').querySelector('p')).toBe(served);
    expect(events).toEqual([]);
  });

  it.each([
    ['a second after the first view is interactive', () => Promise.resolve(count), 1_000],
    ['after 11 seconds if the first view cannot be loaded', () => new Promise<SlotModule>(() => {}), 11_000],
  ])('loads a late slot %s', async (_, results, expectedMs) => {
    window.requestIdleCallback = ((run: () => void) => run()) as never;
    const { setTimeout: setRealTimeout } = globalThis;
    jest.useFakeTimers({ doNotFake: ['performance', 'queueMicrotask'] });
    const { loadModule } = setUp([slotOf({ slot: 'results' }), slotOf({ slot: 'leads', hydrate: 'late' })], {
      results: () => results() as unknown as SlotModule,
      leads: () => count,
    });
    // React renders without timers.
    await new Promise((resolve) => setRealTimeout(resolve, 200));
    const isLoaded = () => loadModule.mock.calls.some(([{ slot }]) => slot === 'leads');
    await jest.advanceTimersByTimeAsync(expectedMs - 100);
    expect(isLoaded()).toBe(false);
    await jest.advanceTimersByTimeAsync(100);
    expect(isLoaded()).toBe(true);
  });

  it('replaces the plain list only when the real module is loaded', async () => {
    let arrive = (_module: SlotModule) => {};
    const arrival = new Promise<SlotModule>((resolve) => (arrive = resolve));
    document.body.innerHTML = '';
    const { element } = setUp(
      [slotOf({ slot: 'results', rendered: 'fallback' })],
      { results: () => arrival as unknown as SlotModule },
      '<div id="slot-results"><ul><li>plain</li></ul></div>',
    );
    await new Promise((resolve) => setTimeout(resolve));
    expect(element('results')).toHaveTextContent('plain');
    arrive(count);
    await waitFor(() => expect(element('results').textContent).toBe('5 cars'));
  });

  it.each([
    ['focuses the control that an early search has replaced', 'body', 'field'],
    ['leaves the focus to a visitor who went on', '#other', 'other'],
  ])('%s when it renders its slot', async (_, active, expected) => {
    const form = defineSlot({ needs: [], view: () => <input id="field" /> });
    const html = '<button id="other"></button><div id="slot-filters" data-focus="#field"></div>';
    const mounts = setUp([slotOf({ slot: 'filters' })], { filters: () => form }, html);
    document.querySelector<HTMLElement>(active)!.focus();
    await waitFor(() => expect(mark).toHaveBeenCalledWith('slot:filters:hydrated'));
    expect(document.activeElement?.id).toBe(expected);
    expect(mounts.element('filters').dataset['focus']).toBeUndefined();
  });

  it('keeps the focus when the browser replaces the HTML of a slot', async () => {
    const form = defineSlot({ needs: [], view: () => <input type="checkbox" name="used" className="new" /> });
    setUp(
      [slotOf({ slot: 'filters', rendered: 'fallback' })],
      { filters: () => form },
      '<div id="slot-filters" data-slot="filters"><input type="checkbox" name="used"></div>',
    );
    document.querySelector('input')!.focus();
    await waitFor(() => expect(document.querySelector('.new')).not.toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(document.querySelector('.new')));
  });

  it('restores the plain list when the real module throws', async () => {
    const broken = defineSlot({
      needs: [],
      view: () => {
        throw new Error('broken view');
      },
    });
    const { element, events } = setUp(
      [slotOf({ slot: 'results', rendered: 'fallback' })],
      { results: () => broken },
      '<div id="slot-results"><ul><li>plain</li></ul></div>',
    );
    await waitFor(() => expect(events.at(-1)).toMatchObject({ type: 'slot.failed' }));
    await waitFor(() => expect(element('results').innerHTML).toBe('<ul><li>plain</li></ul>'));
  });

  it("keeps the server's HTML of a remote that cannot be loaded, and mounts other slots", async () => {
    const { element, events } = setUp(
      [slotOf({ slot: 'gone', rendered: 'release' }), slotOf({ slot: 'filters' })],
      { filters: () => count },
      '<div id="slot-gone"><a href="/x">link</a></div><div id="slot-filters"></div>',
    );
    await waitFor(() => expect(element('filters')).toHaveTextContent('5 cars'));
    expect(element('gone').innerHTML).toBe('<a href="/x">link</a>');
    expect(events).toMatchObject([
      {
        type: 'slot.failed',
        payload: { slot: 'gone', phase: 'load', message: 'no gone', release: 'mfe-x@1.4.0' },
      },
    ]);
  });

  it('wakes a need slot by its event and delivers it once, to this slot only', async () => {
    const heard: string[] = [];
    const Dialogs = () => {
      const { listen } = useSlotEnvironment();
      const [id, setId] = useState('none');
      useEffect(() => listen('lead.requested', ({ listingId }) => setId(listingId)), [listen]);
      return <p>lead for {id}</p>;
    };
    const { element, bus, loadModule } = setUp(
      [slotOf({ slot: 'leads', hydrate: 'need', wakes: ['lead.requested', 'dialog.requested'] })],
      { leads: () => defineSlot({ needs: [], view: Dialogs }) },
    );
    bus.on('lead.requested').subscribe(({ listingId }) => heard.push(listingId));
    bus.emit('listing.saveRequested', { listingId: '1' }, 'results');
    expect(loadModule).not.toHaveBeenCalled();
    bus.emit('lead.requested', { listingId: '7', kind: 'email' }, 'results');
    await waitFor(() => expect(element('leads')).toHaveTextContent('lead for 7'));
    bus.emit('lead.requested', { listingId: '8', kind: 'email' }, 'results');
    await waitFor(() => expect(element('leads')).toHaveTextContent('lead for 8'));
    expect(heard).toEqual(['7', '8']);
    expect(loadModule).toHaveBeenCalledTimes(1);
  });

  it('wakes a visible slot early for its own dialog only', async () => {
    const Trims = () => {
      const { listen } = useSlotEnvironment();
      const [isOpen, setOpen] = useState(false);
      useEffect(() => listen('dialog.requested', ({ name }) => setOpen(name === 'trims')), [listen]);
      return <p>{isOpen ? 'open' : 'closed'}</p>;
    };
    const { element, bus, loadModule } = setUp(
      [slotOf({ slot: 'trims', hydrate: 'visible', wakes: ['dialog.requested:trims'] })],
      { trims: () => defineSlot({ needs: [], view: Trims }) },
    );
    bus.emit('dialog.requested', { name: 'wallet' }, 'results');
    expect(loadModule).not.toHaveBeenCalled();
    bus.emit('dialog.requested', { name: 'trims' }, 'filters');
    await waitFor(() => expect(element('trims')).toHaveTextContent('open'));
    observers.forEach(({ run }) => run(true));
    expect(loadModule).toHaveBeenCalledTimes(1);
  });

  it('mounts a slot in a frame without loading its module into the page', async () => {
    const frame = { version: '1.4.0', reads: [], maxHeight: 100 };
    const { element, loadModule } = setUp(
      [slotOf({ slot: 'framed', rendered: 'release', frame })],
      {},
      '<div id="slot-framed"><a href="/x">link</a></div>',
    );
    await waitFor(() => expect(element('framed').querySelector('iframe')).not.toBeNull());
    expect(element('framed')).toHaveTextContent('link');
    expect(loadModule).not.toHaveBeenCalled();
  });

  it("fills an outlet with another remote's slot when it comes near the viewport", async () => {
    const Results = () => {
      const [isShown, setShown] = useState(true);
      return (
        <>
          <button onClick={() => setShown(false)}>hide</button>
          {isShown && <SlotOutlet name="email-capture" />}
          <SlotOutlet name="nobody-offers-this" />
        </>
      );
    };
    const { element, events } = setUp(
      [slotOf({ slot: 'results' }), slotOf({ slot: 'email-capture', hydrate: 'need' })],
      { results: () => defineSlot({ needs: [], view: Results }), 'email-capture': () => count },
      '<div id="slot-results"></div>',
    );
    await waitFor(() => expect(observers).toHaveLength(1));
    observers[0]?.run(true);
    await waitFor(() => expect(element('results')).toHaveTextContent('5 cars'));
    element('results').querySelector('button')?.click();
    await waitFor(() => expect(element('results')).not.toHaveTextContent('5 cars'));
    expect(events).toEqual([]);
  });
});
