/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { act } from 'react';
import { defineSlot, usePageState } from '@forecourt/slots';
import { renderSlot } from '@forecourt/slots/server';
import { moreStarted } from '../state/searchSlice.ts';
import { marketplaceState } from '../state/marketplaceState.ts';
import type { StateKey } from '../state/state.ts';
import { buildState } from './builders.ts';
import { mountInTestShell, mountScenario } from './index.ts';

function StatusView() {
  return <p role="status">{usePageState(({ search }) => search.status)}</p>;
}
const slotWith = (reads: readonly StateKey[]) => defineSlot({ reads, view: StatusView });
const MESSAGE = "reads search.status, which it doesn't declare in reads";

beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => void jest.restoreAllMocks());

describe('slot that reads a part of the state outside its reads', () => {
  it('fails when it is mounted in a test, and names the part', () => {
    expect(() => mountInTestShell(slotWith(['search.listings']))).toThrow(MESSAGE);
  });

  it('fails as a scenario, and names the part', async () => {
    const scenario = { name: 'one', module: slotWith([]), state: buildState() };
    await expect(mountScenario(scenario)).rejects.toThrow(MESSAGE);
  });

  it('fails on the server when reads are checked, also in its load, and names the slot', async () => {
    const input = { slot: 'tiny', state: {}, call: () => Promise.reject(new Error('no call')) };
    const module = {
      ...slotWith([]),
      load: async ({ state }: { state: { session: object } }) => state.session,
    };
    const render = (checksReads: boolean) =>
      renderSlot(marketplaceState, module, { ...input, checksReads, signal: new AbortController().signal });
    await expect(render(true)).rejects.toThrow("slot tiny reads session, which it doesn't declare in reads");
    await expect(render(false)).resolves.toMatchObject({ html: expect.stringContaining('<p') });
  });
});

describe('slot that lists what it reads', () => {
  it('renders, and repaints when that part changes', async () => {
    const { store } = mountInTestShell(slotWith(['search.status']));
    expect(screen.getByRole('status').textContent).toBe('ready');
    act(() => void store.dispatch(moreStarted({ requestId: 'next' })));
    expect(screen.getByRole('status').textContent).toBe('loadingMore');
  });
});
