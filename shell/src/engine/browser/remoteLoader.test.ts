/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { defineSlot } from '@forecourt/slots';
import type { BootSlot } from '../universal/bootData.ts';
import { createRemoteLoader, type FederationHost } from './remoteLoader.ts';
import { PermanentError } from './call.ts';

const entry = '/remotes/mfe-shelf/1.0.0/web/remoteEntry.js';
const remotes = [{ name: 'mfe-shelf', version: '1.0.0', entry, integrity: {} }];
const slot: BootSlot = {
  slot: 'toolbar',
  remote: 'mfe-shelf',
  expose: './toolbar',
  hydrate: 'load',
  wakes: [],
  emits: '',
  hears: '',
  rendered: 'release',
  data: undefined,
  styles: [],
  scripts: ['/remotes/mfe-shelf/1.0.0/web/slots.js'],
};

function setUp(exposed: unknown) {
  const script = jest.fn<(url: string) => Promise<void>>(() => Promise.resolve());
  const host = {
    registerPlugins: jest.fn<FederationHost['registerPlugins']>(),
    registerRemotes: jest.fn<FederationHost['registerRemotes']>(),
    loadRemote: jest.fn((_id: string) => Promise.resolve(exposed)),
  };
  const assets = { script, style: () => Promise.resolve() };
  const load = createRemoteLoader(host as unknown as FederationHost, remotes, assets);
  return { host, script, load };
}

describe('remote loader', () => {
  afterEach(() => {
    delete (globalThis as Record<string, unknown>)['mfe_shelf'];
  });

  it('fetches entry and chunks in parallel and returns the exposed slot', async () => {
    const module = defineSlot({ reads: [], view: () => null });
    const { host, script, load } = setUp({ default: module });
    await expect(load(slot)).resolves.toBe(module);
    expect(script.mock.calls.map(([url]) => url)).toEqual([entry, ...slot.scripts]);
    expect(host.loadRemote).toHaveBeenCalledWith('mfe-shelf/toolbar');
    expect(host.registerRemotes).toHaveBeenCalledWith([
      { name: 'mfe-shelf', entry, type: 'global', entryGlobalName: 'mfe_shelf' },
    ]);
  });

  it('rejects permanently when the module is not a slot', async () => {
    await expect(setUp({ default: {} }).load(slot)).rejects.toBeInstanceOf(PermanentError);
    await expect(setUp(null).load(slot)).rejects.toBeInstanceOf(PermanentError);
  });

  it('rejects permanently when the remote has no release in the snapshot', async () => {
    const { load, script } = setUp({});
    await expect(load({ ...slot, remote: 'mfe-other' })).rejects.toBeInstanceOf(PermanentError);
    expect(script).not.toHaveBeenCalled();
  });

  it("passes the entry's container to the federation runtime through the checked loader", async () => {
    const { host, script } = setUp({});
    const plugin = host.registerPlugins.mock.calls[0]?.[0]?.[0];
    const loadEntry = () =>
      plugin?.loadEntry?.({ remoteInfo: { entry, entryGlobalName: 'mfe_shelf' } } as never);
    await expect(loadEntry()).rejects.toBeInstanceOf(PermanentError);
    const container = { init: () => {}, get: () => {} };
    (globalThis as Record<string, unknown>)['mfe_shelf'] = container;
    await expect(loadEntry()).resolves.toBe(container);
    expect(script).toHaveBeenCalledWith(entry);
  });
});
