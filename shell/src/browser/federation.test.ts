/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { defineSlot } from '@forecourt/shared-contracts/slots';
import type { BootSlot } from '../page/bootData.ts';
import { createRemoteLoader } from './federation.ts';
import { PermanentError } from './persistently.ts';

const entry = '/remotes/mfe-filters/1.0.0/web/remoteEntry.js';
const remotes = [{ name: 'mfe-filters', version: '1.0.0', entry, integrity: {} }];
const slot: BootSlot = {
  slot: 'toolbar',
  remote: 'mfe-filters',
  expose: './toolbar',
  hydrate: 'load',
  wakes: [],
  rendered: 'release',
  data: undefined,
  styles: [],
  scripts: ['/remotes/mfe-filters/1.0.0/web/slots.js'],
};

const scope = { react: {} };

/** A container that exposes `exposed` as every slot. */
function setUp(exposed: unknown) {
  const container = {
    init: jest.fn<(scope: object) => Promise<void>>(() => Promise.resolve()),
    get: jest.fn((_expose: string) => Promise.resolve(() => exposed)),
  };
  const script = jest.fn<(url: string) => Promise<void>>((url) => {
    // What the entry does when it runs.
    if (url === entry) Object.assign(globalThis, { mfe_filters: container });
    return Promise.resolve();
  });
  const assets = { script, style: () => Promise.resolve() };
  const load = createRemoteLoader(() => Promise.resolve(scope), remotes, assets);
  return { container, script, load };
}

describe('remote loader', () => {
  afterEach(() => {
    delete (globalThis as Record<string, unknown>)['mfe_filters'];
  });

  it('fetches entry and chunks side by side and answers the exposed slot', async () => {
    const module = defineSlot({ needs: [], view: () => null });
    const { container, script, load } = setUp({ default: module });
    await expect(load(slot)).resolves.toBe(module);
    expect(script.mock.calls.map(([url]) => url)).toEqual([entry, ...slot.scripts]);
    expect(container.get).toHaveBeenCalledWith('./toolbar');
  });

  it('gives a container the shared modules once, however many slots it fills', async () => {
    const { container, load } = setUp({ default: defineSlot({ needs: [], view: () => null }) });
    await Promise.all([load(slot), load({ ...slot, slot: 'filters', expose: './filters' })]);
    expect(container.init.mock.calls).toEqual([[scope]]);
  });

  it('refuses for good what is no slot', async () => {
    await expect(setUp({ default: {} }).load(slot)).rejects.toBeInstanceOf(PermanentError);
    await expect(setUp(null).load(slot)).rejects.toBeInstanceOf(PermanentError);
  });

  it('refuses for good a remote that has no release in the snapshot', async () => {
    const { load, script } = setUp({});
    await expect(load({ ...slot, remote: 'mfe-other' })).rejects.toBeInstanceOf(PermanentError);
    expect(script).not.toHaveBeenCalled();
  });

  it('refuses for good an entry that leaves no container', async () => {
    const assets = { script: () => Promise.resolve(), style: () => Promise.resolve() };
    const load = createRemoteLoader(() => Promise.resolve(scope), remotes, assets);
    await expect(load(slot)).rejects.toBeInstanceOf(PermanentError);
  });
});
