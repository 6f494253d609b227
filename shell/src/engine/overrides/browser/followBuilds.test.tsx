/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it, jest } from '@jest/globals';
import { defineSlot } from '@forecourt/slots';
import { mountSlot } from '@forecourt/slots/browser';
import { createSlotTesting } from '@forecourt/slots/testing';
import { act } from '@testing-library/react';
import type { StartedPage } from '../../browser/startEngine.ts';
import type { BootData } from '../../universal/bootData.ts';
import { librarySite } from '../../testing/librarySite.ts';
import { followBuilds, makeSwappable } from './followBuilds.tsx';

const { createStore } = librarySite.state;
const { createTestEnvironment } = createSlotTesting({
  ...librarySite,
  defaultState: () => createStore().getState(),
} as never);

const slotOf = (text: string, changes: object = {}) =>
  defineSlot<string>({ reads: [], view: ({ data = '' }) => <p>{`${text} ${data}`.trim()}</p>, ...changes });

async function mount(module: ReturnType<typeof slotOf>) {
  const element = document.createElement('div');
  const store = createStore();
  const { environment } = createTestEnvironment(module);
  await act(async () =>
    mountSlot({
      module,
      element,
      store,
      environment,
      onReady: () => {},
      onError: (_, error) => {
        throw error;
      },
    }),
  );
  return { element, store };
}

describe('slot of a page that follows builds', () => {
  it('renders the newest build in the root that the page mounted', async () => {
    const module = slotOf('first');
    const slot = makeSwappable(module);
    const { element } = await mount(module);
    expect(element.textContent).toBe('first');
    await act(async () => {
      slot.swap(slotOf('second'));
      slot.paint();
    });
    expect(element.textContent).toBe('second');
  });

  it('loads its data again with the newest build when the store changes', async () => {
    const module = slotOf('data:', { load: async () => 'old' });
    const slot = makeSwappable(module);
    const { element, store } = await mount(module);
    expect(element.textContent).toBe('data: old');
    await act(async () => {
      slot.swap(slotOf('data:', { load: async () => 'new' }));
      slot.paint();
      store.dispatch({ type: 'builds/shown' });
    });
    expect(element.textContent).toBe('data: new');
  });

  it('cannot be swapped for a slot that loads data when it loads none', () => {
    const slot = makeSwappable(slotOf('first'));
    expect(slot.canSwap(slotOf('second'))).toBe(true);
    expect(slot.canSwap(slotOf('second', { load: async () => 1 }))).toBe(false);
  });
});

describe('page that follows the shell', () => {
  /** A page written by the process `written`, whose stream first reaches the process `reached`. */
  function follow(written: string, reached: string) {
    const events = new EventTarget();
    const tell = (data: string) => events.dispatchEvent(new MessageEvent('shell', { data }));
    const source = jest.fn(() => Object.assign(events, { close() {} }));
    const original = globalThis.EventSource;
    globalThis.EventSource = source as unknown as typeof EventSource;
    const reload = jest.fn();
    const boot = { remotes: [], slots: [], extension: { data: { shellProcess: written, chosen: [] } } };
    const host = { registerPlugins() {} };
    const page = { bus: { on: () => ({ subscribe() {} }) } };
    followBuilds(boot as unknown as BootData, host as never, reload)(page as unknown as StartedPage);
    globalThis.EventSource = original;
    tell(reached);
    return { reload, tell };
  }

  it('reloads when the shell restarts, also before the scripts of the page first reach it', () => {
    const { reload, tell } = follow('one', 'one');
    expect(reload).not.toHaveBeenCalled();
    tell('two');
    expect(reload).toHaveBeenCalledTimes(1);
    expect(follow('one', 'two').reload).toHaveBeenCalledTimes(1);
  });
});
