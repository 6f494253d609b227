/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { defineSlot } from '@forecourt/shared-contracts/slots';
import { mountSlot } from '@forecourt/shared-contracts/slots/browser';
import { createStore } from '@forecourt/shared-contracts/store';
import { createTestEnvironment } from '@forecourt/shared-contracts/testing';
import { act } from '@testing-library/react';
import { makeSwappable } from './followBuilds.tsx';

const slotOf = (text: string, changes: object = {}) =>
  defineSlot<string>({ needs: [], view: ({ data = '' }) => <p>{`${text} ${data}`.trim()}</p>, ...changes });

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
