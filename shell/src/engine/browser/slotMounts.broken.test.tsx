/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { defineSlot, type SlotModule } from '@forecourt/slots';
import { type BusEvent, createEventBus } from '@forecourt/slots/events';
import { renderSlot } from '@forecourt/slots/server';
import { waitFor } from '@testing-library/react';
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react';
import { eventCodes } from '../universal/eventCodes.ts';
import type { BootData } from '../universal/bootData.ts';
import { LIBRARY_EVENT_TYPES, librarySite } from '../testing/librarySite.ts';
import { libraryState } from '../testing/libraryState.ts';
import { createSlotBudgets } from './slotBudgets.ts';
import { mountSlots } from './slotMounts.ts';
import { watchSlots } from './watchSlots.ts';

/** An exception of the release's own script, as browsers report it. */
const broken = (message: string): Error =>
  Object.assign(new Error(message), {
    stack: `Error: ${message}\n    at Shelf (https://library.example/remotes/mfe-x/1.4.0/shelf.js:1:1)`,
  });

let isServer = false;
/** What a view shows on the server, and then in the browser. */
const unlike =
  (onServer: () => string, inBrowser: () => string): (() => ReactNode) =>
  () => <p>{isServer ? onServer() : inBrowser()}</p>;
const date = new Date(Date.UTC(2026, 0, 2, 23, 30));
const inZone = (locale: string, timeZone: string) => () => date.toLocaleString(locale, { timeZone });

/** Browser halves that load well, so that no gate refuses them; each with the phase in which it fails and its message. */
const LATE: readonly (readonly [fault: string, view: () => ReactNode, phase: string, message: RegExp])[] = [
  [
    'throws in the browser only',
    () => {
      if (!isServer) throw broken('no window');
      return <p>shelf</p>;
    },
    'hydrate',
    /no window/,
  ],
  [
    'throws in an effect',
    () => {
      useEffect(() => {
        throw broken('no effect');
      });
      return <p>shelf</p>;
    },
    'hydrate',
    /no effect/,
  ],
  [
    'throws in a layout effect',
    () => {
      useLayoutEffect(() => {
        throw broken('no layout');
      });
      return <p>shelf</p>;
    },
    'hydrate',
    /no layout/,
  ],
  [
    'throws once its state changes',
    () => {
      const [count, setCount] = useState(0);
      useEffect(() => setCount(1), []);
      if (count > 0) throw broken('no second render');
      return <p>shelf</p>;
    },
    'hydrate',
    /no second render/,
  ],
  [
    'sets its state in each render',
    () => {
      const [, setCount] = useState(0);
      if (!isServer) setCount((count) => count + 1);
      return <p>shelf</p>;
    },
    'hydrate',
    /Too many re-renders/,
  ],
  [
    'shows an object',
    () => (isServer ? <p>shelf</p> : ({} as ReactNode)),
    'hydrate',
    /not valid as a React child/,
  ],
  [
    'throws in a timer',
    () => {
      useEffect(() => {
        const timer = setTimeout(() => {
          throw broken('no minute');
        }, 20);
        return () => clearTimeout(timer);
      }, []);
      return <p>shelf</p>;
    },
    'run',
    /no minute/,
  ],
  [
    'throws in an event',
    () => {
      useEffect(() => {
        const throwing = () => {
          throw broken('no click');
        };
        window.addEventListener('focus', throwing);
        window.dispatchEvent(new Event('focus'));
        return () => window.removeEventListener('focus', throwing);
      }, []);
      return <p>shelf</p>;
    },
    'run',
    /no click/,
  ],
  [
    'shows the time',
    unlike(
      () => '10:00',
      () => '10:01',
    ),
    'hydrate',
    /Hydration failed|didn't match/,
  ],
  [
    'shows a date in the time zone of the visitor',
    unlike(inZone('en-US', 'UTC'), inZone('en-US', 'Asia/Tokyo')),
    'hydrate',
    /Hydration failed|didn't match/,
  ],
  [
    'shows a number in the locale of the visitor',
    unlike(
      () => (1234.5).toLocaleString('en-US'),
      () => (1234.5).toLocaleString('de-DE'),
    ),
    'hydrate',
    /Hydration failed|didn't match/,
  ],
  [
    'shows a random number',
    unlike(
      () => '0.25',
      () => String(Math.random()),
    ),
    'hydrate',
    /Hydration failed|didn't match/,
  ],
  [
    'shows what the visitor has stored',
    unlike(
      () => 'nothing',
      () => localStorage.getItem('shelf') ?? 'empty',
    ),
    'hydrate',
    /Hydration failed|didn't match/,
  ],
  [
    'has another element on large screens',
    () => (isServer ? <p>shelf</p> : <div>shelf</div>),
    'hydrate',
    /Hydration failed|didn't match/,
  ],
];

describe('a slot that loads, and then', () => {
  beforeEach(() => {
    (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = false;
    Object.assign(globalThis, {
      PerformanceObserver: class {
        static supportedEntryTypes: string[] = [];
      },
    });
    performance.mark = jest.fn() as never;
    jest.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterEach(() => {
    jest.restoreAllMocks();
    document.body.replaceChildren();
  });

  it.each(LATE)('%s is reported by slot, release and reason', async (_, View, phase, message) => {
    const module: SlotModule = defineSlot({ reads: [], view: View });
    const store = librarySite.state.createStore();
    isServer = true;
    const { html } = await renderSlot(libraryState as never, module, {
      slot: 'shelf',
      state: store.getState(),
      call: () => Promise.reject(new Error('unused')),
      signal: new AbortController().signal,
    });
    isServer = false;
    document.body.innerHTML = `<div id="slot-shelf">${html}</div>`;
    const events: BusEvent[] = [];
    const bus = createEventBus(librarySite.events, () => {});
    bus.all.subscribe((event) => events.push(event));
    const codes = eventCodes(LIBRARY_EVENT_TYPES, LIBRARY_EVENT_TYPES);
    const slot = { slot: 'shelf', remote: 'mfe-x', expose: './shelf', hydrate: 'load', rendered: 'release' };
    const boot = {
      state: store.getState(),
      slots: [{ ...slot, wakes: [], emits: codes, hears: codes, styles: [], scripts: [] }],
      remotes: [{ name: 'mfe-x', version: '1.4.0', entry: '/entry.js', integrity: {} }],
      requestId: 'r1',
      failureClaim: '',
    } as unknown as BootData;
    watchSlots(boot, bus);
    void mountSlots({
      site: librarySite,
      boot,
      store,
      bus,
      budgets: createSlotBudgets(),
      loadModule: async () => module,
      loadStyle: () => Promise.resolve(),
    });
    await waitFor(() =>
      expect(events).toContainEqual(
        expect.objectContaining({
          type: 'slot.failed',
          payload: {
            slot: 'shelf',
            phase,
            release: 'mfe-x@1.4.0',
            message: expect.stringMatching(message) as unknown,
          },
        }),
      ),
    );
  });
});
