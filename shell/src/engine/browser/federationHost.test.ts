/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { getInstance } from '@module-federation/enhanced/runtime';
import { createHost } from './federationHost.ts';
import { createRemoteLoader } from './remoteLoader.ts';
import { defineSlot } from '@forecourt/slots';

const page = globalThis as Record<string, unknown>;
const entry = '/remotes/mfe-shelf/1.0.0/web/remoteEntry.js';

type Scope = Readonly<
  Record<string, Readonly<Record<string, { readonly get: () => Promise<() => object> }>>>
>;

describe('createHost', () => {
  beforeEach(() => {
    page['SHARED_VERSIONS'] = { react: '19.3.1', '@forecourt/slots': '1.0.0' };
  });
  afterEach(() => {
    delete page['SHARED_VERSIONS'];
    delete page['mfe_shelf'];
  });

  it('gives remotes the modules of the page in their versions, CommonJS as `require` returns it', async () => {
    const react = { useState: () => {} };
    const slots = { defineSlot };
    createHost({ react: { default: react, useState: react.useState }, '@forecourt/slots': slots });
    let scope: Scope = {};
    page['mfe_shelf'] = {
      init: (given: Scope) => (scope = given),
      get: () => Promise.resolve(() => ({ default: defineSlot({ reads: [], view: () => null }) })),
    };
    const assets = { script: () => Promise.resolve(), style: () => Promise.resolve() };
    const remotes = [{ name: 'mfe-shelf', version: '1.0.0', entry, integrity: {} }];
    const load = createRemoteLoader(getInstance()!, remotes, assets);
    await load({ slot: 'shelf', remote: 'mfe-shelf', expose: './shelf', scripts: [] });
    expect(Object.keys(scope)).toEqual(['react', '@forecourt/slots']);
    expect((await scope['react']?.['19.3.1']?.get())?.()).toBe(react);
    expect((await scope['@forecourt/slots']?.['1.0.0']?.get())?.()).toBe(slots);
  });
});
