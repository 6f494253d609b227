/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { defineSlot, SlotOutlet, useSlotEnvironment, type SlotModule, usePageState } from '@forecourt/slots';
import { createEventBus, type BusEvent } from '@forecourt/slots/events';
import { renderSlot } from '@forecourt/slots/server';
import { waitFor } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { eventCodes } from '../universal/eventCodes.ts';
import type { BootSlot } from '../universal/bootData.ts';
import { LIBRARY_EVENT_TYPES, librarySite } from '../testing/librarySite.ts';
import { type LibraryState, libraryState } from '../testing/libraryState.ts';
import { PermanentError } from './call.ts';
import { SLOT_BUDGETS } from '@forecourt/releases/slotBudgets';
import { createSlotBudgets } from './slotBudgets.ts';
import { mountSlots } from './slotMounts.ts';

const Count = () => <p>{usePageState((state) => (state as unknown as LibraryState).shelf.books)} books</p>;
const count = defineSlot({ reads: ['shelf.books' as never], view: Count });

const ALL_EVENTS = eventCodes(LIBRARY_EVENT_TYPES, LIBRARY_EVENT_TYPES);

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
  const store = librarySite.state.createStore();
  const state = store.getState();
  const events: BusEvent[] = [];
  const bus = createEventBus(librarySite.events, ({ type, reason }) => {
    throw new Error(`${type}: ${reason}`);
  });
  bus.all.subscribe((event) => events.push(event));
  const loadModule = jest.fn(({ slot }: BootSlot): Promise<SlotModule> => {
    const make = modules[slot];
    return make ? Promise.resolve(make()) : Promise.reject(new PermanentError(`no ${slot}`));
  });
  const remotes = [{ name: 'mfe-x', version: '1.4.0', entry: '/entry.js', integrity: {} }];
  const boot = { state, slots, remotes, requestId: 'r1', failureClaim: '' };
  const budgets = createSlotBudgets();
  const loadStyle = () => Promise.resolve();
  void mountSlots({ site: librarySite, boot, store, bus, budgets, loadModule, loadStyle });
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
    const { element } = setUp([slotOf({ slot: 'search' })], { search: () => count });
    await waitFor(() => expect(element('search')).toHaveTextContent('5 books'));
    await waitFor(() => expect(mark).toHaveBeenCalledWith('slot:search:hydrated'));
  });

  it('mounts an idle slot when the browser is idle, within a time limit', () => {
    const { loadModule } = setUp([slotOf({ slot: 'banner', hydrate: 'idle' })], { banner: () => count });
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

  it("hydrates a slot after the first view against the server's state, then follows the store", async () => {
    const { html } = await renderSlot(libraryState as never, count, {
      slot: 'search',
      state: librarySite.state.createStore().getState(),
      call: () => Promise.reject(new Error('unused')),
      signal: new AbortController().signal,
    });
    const { element, store, events } = setUp(
      [slotOf({ slot: 'search', hydrate: 'idle', rendered: 'release' })],
      { search: () => count },
      `<div id="slot-search">${html}</div>`,
    );
    const served = element('search').querySelector('p');
    store.dispatch({ type: 'shelf/counted', payload: 9 });
    (window.requestIdleCallback as jest.Mock<typeof requestIdleCallback>).mock.calls[0]?.[0](
      {} as IdleDeadline,
    );
    await waitFor(() => expect(element('search')).toHaveTextContent('9 books'));
    expect(element('search').querySelector('p')).toBe(served);
    expect(events).toEqual([]);
  });

  it.each([
    ['a second after the first view is interactive', () => Promise.resolve(count), 1_000],
    ['after 11 seconds if the first view cannot be loaded', () => new Promise<SlotModule>(() => {}), 11_000],
  ])('loads a late slot %s', async (_, load, expectedMs) => {
    window.requestIdleCallback = ((run: () => void) => run()) as never;
    const { setTimeout: setRealTimeout } = globalThis;
    jest.useFakeTimers({ doNotFake: ['performance', 'queueMicrotask'] });
    const { loadModule } = setUp(
      [slotOf({ slot: 'shelf' }), slotOf({ slot: 'loans', hydrate: 'afterFirstView' })],
      {
        shelf: () => load() as unknown as SlotModule,
        loans: () => count,
      },
    );
    // React renders without timers.
    await new Promise((resolve) => setRealTimeout(resolve, 200));
    const isLoaded = () => loadModule.mock.calls.some(([{ slot }]) => slot === 'loans');
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
      [slotOf({ slot: 'shelf', rendered: 'fallback' })],
      { shelf: () => arrival as unknown as SlotModule },
      '<div id="slot-shelf"><ul><li>plain</li></ul></div>',
    );
    await new Promise((resolve) => setTimeout(resolve));
    expect(element('shelf')).toHaveTextContent('plain');
    arrive(count);
    await waitFor(() => expect(element('shelf').textContent).toBe('5 books'));
  });

  it.each([
    ['focuses the control that an early navigation has replaced', 'body', 'field'],
    ['leaves the focus to a visitor who went on', '#other', 'other'],
  ])('%s when it renders its slot', async (_, active, expected) => {
    const form = defineSlot({ reads: [], view: () => <input id="field" /> });
    const html = '<button id="other"></button><div id="slot-search" data-focus="#field"></div>';
    const mounts = setUp([slotOf({ slot: 'search' })], { search: () => form }, html);
    document.querySelector<HTMLElement>(active)!.focus();
    await waitFor(() => expect(mark).toHaveBeenCalledWith('slot:search:hydrated'));
    expect(document.activeElement?.id).toBe(expected);
    expect(mounts.element('search').dataset['focus']).toBeUndefined();
  });

  it('keeps the focus when the browser replaces the HTML of a slot', async () => {
    const form = defineSlot({ reads: [], view: () => <input type="checkbox" name="new" className="new" /> });
    setUp(
      [slotOf({ slot: 'search', rendered: 'fallback' })],
      { search: () => form },
      '<div id="slot-search" data-slot="search"><input type="checkbox" name="new"></div>',
    );
    document.querySelector('input')!.focus();
    await waitFor(() => expect(document.querySelector('.new')).not.toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(document.querySelector('.new')));
  });

  it('restores the plain list when the real module throws', async () => {
    const broken = defineSlot({
      reads: [],
      view: () => {
        throw new Error('broken view');
      },
    });
    const { element, events } = setUp(
      [slotOf({ slot: 'shelf', rendered: 'fallback' })],
      { shelf: () => broken },
      '<div id="slot-shelf"><ul><li>plain</li></ul></div>',
    );
    await waitFor(() => expect(events.at(-1)).toMatchObject({ type: 'slot.failed' }));
    await waitFor(() => expect(element('shelf').innerHTML).toBe('<ul><li>plain</li></ul>'));
  });

  it("keeps the server's HTML of a remote that cannot be loaded, and mounts other slots", async () => {
    const { element, events } = setUp(
      [slotOf({ slot: 'gone', rendered: 'release' }), slotOf({ slot: 'search' })],
      { search: () => count },
      '<div id="slot-gone"><a href="/x">link</a></div><div id="slot-search"></div>',
    );
    await waitFor(() => expect(element('search')).toHaveTextContent('5 books'));
    expect(element('gone').innerHTML).toBe('<a href="/x">link</a>');
    expect(events).toMatchObject([
      {
        type: 'slot.failed',
        payload: { slot: 'gone', phase: 'evaluate', message: 'no gone', release: 'mfe-x@1.4.0' },
      },
    ]);
  });

  it('ends a slot that emits from an effect of what its event changes, and names the loop', async () => {
    const log = jest.spyOn(console, 'error').mockImplementation(() => {});
    const Storm = () => {
      const { emit } = useSlotEnvironment();
      const books = usePageState((state) => (state as unknown as LibraryState).shelf.books);
      useEffect(() => emit('book.requested' as never, { isbn: String(books) } as never), [emit, books]);
      return <p>{books} books</p>;
    };
    const { events, store, bus } = setUp([slotOf({ slot: 'shelf' })], {
      shelf: () => defineSlot({ reads: ['shelf.books' as never], view: Storm }),
    });
    let books = 0;
    bus
      .on('book.requested' as never)
      .subscribe(() => store.dispatch({ type: 'shelf/counted', payload: (books += 1) }));
    await waitFor(() =>
      expect(events.at(-1)).toMatchObject({
        type: 'slot.failed',
        payload: { slot: 'shelf', phase: 'budget', release: 'mfe-x@1.4.0' },
      }),
    );
    const { message } = events.at(-1)!.payload as { message: string };
    expect(message).toMatch(
      /without input of the visitor; a loop: shelf emits book\.requested, again and again/,
    );
    expect(log).toHaveBeenCalledWith(expect.stringContaining(`Slot shelf ${message}`));
    expect(events.filter(({ sender }) => sender === 'shelf')).toHaveLength(
      SLOT_BUDGETS.unpromptedEventsPerMinute,
    );
    log.mockRestore();
  });

  it('ends two slots that answer each other, and names both', async () => {
    const log = jest.spyOn(console, 'error').mockImplementation(() => {});
    const answering = (heard: string, said: string) => () => {
      const { emit, listen } = useSlotEnvironment();
      useEffect(
        () => listen(heard as never, () => emit(said as never, { isbn: '1', name: '1' } as never)),
        [emit, listen],
      );
      return <p>ready</p>;
    };
    const viewOf = (heard: string, said: string) => () =>
      defineSlot({ reads: [], view: answering(heard, said) });
    const { events, element, bus } = setUp([slotOf({ slot: 'shelf' }), slotOf({ slot: 'loans' })], {
      shelf: viewOf('book.requested', 'dialog.requested'),
      loans: viewOf('dialog.requested', 'book.requested'),
    });
    for (const slot of ['shelf', 'loans'])
      await waitFor(() => expect(element(slot)).toHaveTextContent('ready'));
    bus.emit('book.requested' as never, { isbn: '1' } as never, 'shell');
    await waitFor(() => expect(events.at(-1)).toMatchObject({ type: 'slot.failed' }));
    const { message } = events.at(-1)!.payload as { message: string };
    expect(message).toContain('shelf emits dialog.requested');
    expect(message).toContain('loans emits book.requested');
    log.mockRestore();
  });

  it('refuses the calls of a slot that calls in a loop', async () => {
    const log = jest.spyOn(console, 'error').mockImplementation(() => {});
    const response = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({}));
    const refused: unknown[] = [];
    const Caller = () => {
      const { call } = useSlotEnvironment();
      useEffect(() => {
        for (let number = 0; number <= SLOT_BUDGETS.callsPerMinute; number += 1)
          call('books' as never, {}).catch((error: unknown) => refused.push(error));
      }, [call]);
      return <p>calling</p>;
    };
    const { events } = setUp([slotOf({ slot: 'shelf' })], {
      shelf: () => defineSlot({ reads: [], view: Caller }),
    });
    await waitFor(() => expect(events.at(-1)).toMatchObject({ payload: { slot: 'shelf', phase: 'budget' } }));
    expect(refused).toMatchObject([{ name: 'CallError', code: 'BUDGET_EXCEEDED', status: 429 }]);
    expect(response).toHaveBeenCalledTimes(SLOT_BUDGETS.callsPerMinute);
    response.mockRestore();
    log.mockRestore();
  });

  it('wakes a need slot by its event and delivers it once, to this slot only', async () => {
    const heard: string[] = [];
    const Dialogs = () => {
      const { listen } = useSlotEnvironment();
      const [id, setId] = useState('none');
      useEffect(
        () => listen('book.requested' as never, ({ isbn }: { isbn: string }) => setId(isbn)),
        [listen],
      );
      return <p>book {id}</p>;
    };
    const { element, bus, loadModule } = setUp(
      [slotOf({ slot: 'loans', hydrate: 'onEvent', wakes: ['book.requested', 'dialog.requested'] })],
      { loans: () => defineSlot({ reads: [], view: Dialogs }) },
    );
    bus.on('book.requested' as never).subscribe(({ isbn }: { isbn: string }) => heard.push(isbn));
    const request = (isbn: string) => bus.emit('book.requested' as never, { isbn } as never, 'shelf');
    bus.emit('page.announced', { message: 'one' }, 'shelf');
    expect(loadModule).not.toHaveBeenCalled();
    request('7');
    await waitFor(() => expect(element('loans')).toHaveTextContent('book 7'));
    request('8');
    await waitFor(() => expect(element('loans')).toHaveTextContent('book 8'));
    expect(heard).toEqual(['7', '8']);
    expect(loadModule).toHaveBeenCalledTimes(1);
  });

  it('wakes a visible slot early for its own dialog only', async () => {
    const Details = () => {
      const { listen } = useSlotEnvironment();
      const [isOpen, setOpen] = useState(false);
      useEffect(
        () => listen('dialog.requested', ({ name }: { name: string }) => setOpen(name === 'details')),
        [listen],
      );
      return <p>{isOpen ? 'open' : 'closed'}</p>;
    };
    const { element, bus, loadModule } = setUp(
      [slotOf({ slot: 'details', hydrate: 'visible', wakes: ['dialog.requested:details'] })],
      { details: () => defineSlot({ reads: [], view: Details }) },
    );
    const open = (name: string) => bus.emit('dialog.requested', { name } as never, 'shelf');
    open('loans');
    expect(loadModule).not.toHaveBeenCalled();
    open('details');
    await waitFor(() => expect(element('details')).toHaveTextContent('open'));
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
    const Shelf = () => {
      const [isShown, setShown] = useState(true);
      return (
        <>
          <button onClick={() => setShown(false)}>hide</button>
          {isShown && <SlotOutlet name="reviews" />}
          <SlotOutlet name="nobody-offers-this" />
        </>
      );
    };
    const { element, events } = setUp(
      [slotOf({ slot: 'shelf' }), slotOf({ slot: 'reviews', hydrate: 'onEvent' })],
      { shelf: () => defineSlot({ reads: [], view: Shelf }), reviews: () => count },
      '<div id="slot-shelf"></div>',
    );
    await waitFor(() => expect(observers).toHaveLength(1));
    observers[0]?.run(true);
    await waitFor(() => expect(element('shelf')).toHaveTextContent('5 books'));
    element('shelf').querySelector('button')?.click();
    await waitFor(() => expect(element('shelf')).not.toHaveTextContent('5 books'));
    expect(events).toEqual([]);
  });
});
