/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createEventBus } from '@forecourt/slots/events';
import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { act } from 'react';
import { LIBRARY_EVENTS, libraryPersonalParts, librarySite } from '../../testing/librarySite.ts';
import type { TesterBoot } from '../universal/testerBoot.ts';
import { Panel } from './Panel.tsx';
import { createRecorder } from './recorder.ts';

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
  chosen: [{ remote: 'mfe-shelf', version: '1.4.0', why: 'live' }],
  slots: [
    {
      slot: 'shelf',
      remote: 'mfe-shelf',
      version: '1.4.0',
      criticality: 'required',
      ms: 12.3,
      bytes: 2048,
      emits: ['book.requested' as never],
      hears: [],
    },
    {
      slot: 'reviews',
      remote: 'mfe-reviews',
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
  const store = librarySite.state.createStore();
  store.dispatch({ type: 'session/opened', payload: 'Ada' });
  const bus = createEventBus(LIBRARY_EVENTS, () => {});
  const recorder = createRecorder(bus, () => 1234);
  const onClose = jest.fn();
  render(
    <Panel
      personal={libraryPersonalParts}
      store={store}
      recorder={recorder}
      uses={{
        of: (slot) => ({ events: slot === 'shelf' ? 4 : 0, calls: 2, elements: 30, busyMs: 12.4 }),
        stop() {},
      }}
      tester={tester}
      onClose={onClose}
    />,
  );
  return { bus, onClose, user: userEvent.setup() };
}
const tab = (name: string) => screen.getByRole('tab', { name });

describe('devtools', () => {
  it('save a recording of the page for the gate, without what is the visitor’s own', async () => {
    const saved: Blob[] = [];
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}`, revokeObjectURL() {} });
    const { bus, user } = open();
    act(() => bus.emit('book.requested' as never, { isbn: '7' } as never, 'shelf'));
    act(() => bus.emit('reader.changed' as never, { name: 'Ada' } as never, 'loans'));
    await user.click(tab('Events'));
    await user.click(screen.getByRole('button', { name: 'Save recording' }));
    expect(JSON.parse(await (saved[0] as Blob).text())).toMatchObject({
      recording: 1,
      slots: [
        { slot: 'shelf', remote: 'mfe-shelf', emits: ['book.requested'], hears: [] },
        { slot: 'reviews' },
      ],
      state: { session: { reader: null } },
      events: [{ type: 'book.requested', sender: 'shelf' }],
    });
  });

  it('show server and browser data of each slot, and failures as they occur', () => {
    const { bus } = open();
    const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(`^${name} `) }));
    expect(row('shelf').getByText('12 ms')).toBeTruthy();
    expect(row('shelf').getByText('2.0 KB')).toBeTruthy();
    expect(row('reviews').getByText('server: THREW: x')).toBeTruthy();
    act(() => bus.emit('slot.failed', { slot: 'shelf', phase: 'hydrate', message: 'no match' }, 'shell'));
    expect(row('shelf').getByText('hydrate: no match')).toBeTruthy();
    expect(row('shelf').getByText('4 events, 2 calls, 30 elements, 12 ms busy')).toBeTruthy();
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
    const announce = (message: string) => act(() => bus.emit('page.announced', { message }, 'shelf'));
    announce('one');
    act(() => bus.emit('book.requested' as never, { isbn: '7' } as never, 'shelf'));
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
