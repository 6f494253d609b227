/** @jest-environment jest-fixed-jsdom */
import { afterEach, expect, it } from '@jest/globals';
import type { StoreEnhancer, UnknownAction } from '@reduxjs/toolkit';
import type { FederationHost } from '../../engine/browser/remoteLoader.ts';

const { NODE_ENV } = process.env;
afterEach(() => {
  process.env['NODE_ENV'] = NODE_ENV;
});

/** Actions that the browser's extension has seen. */
const seen: UnknownAction[] = [];
const devTools: StoreEnhancer = (createStore) => (reducer, state) =>
  createStore((current, action) => {
    seen.push(action as unknown as UnknownAction);
    return reducer(current, action);
  }, state);
// Redux Toolkit looks for the extension when it is loaded.
Object.assign(window, {
  scrollTo: () => {},
  __REDUX_DEVTOOLS_EXTENSION_COMPOSE__:
    () =>
    (...enhancers: StoreEnhancer[]): StoreEnhancer =>
    (createStore) =>
      [...enhancers, devTools].reduceRight((create, enhance) => enhance(create), createStore),
});
Object.assign(performance, { mark: () => {}, getEntriesByType: () => [] });
const { buildState } = await import('@forecourt/search/testing');
const { startPage } = await import('./startPage.ts');

const start = () =>
  startPage({ state: buildState(), slots: [], remotes: [], requestId: 'r1', failureClaim: '' }, {
    registerPlugins() {},
    registerRemotes() {},
  } as unknown as FederationHost);
const save = (listingId: string) => ({
  type: 'session/listingSaved',
  payload: { listingId, saved: true },
  meta: { sender: 'results' },
});

it('shows changes that slots cause in Redux DevTools, with their slots, during development only', () => {
  process.env['NODE_ENV'] = 'development';
  start().bus.emit('listing.savedChanged', { listingId: '7', saved: true }, 'results');
  expect(seen.at(-1)).toEqual(save('7'));
  process.env['NODE_ENV'] = 'production';
  start().bus.emit('listing.savedChanged', { listingId: '8', saved: true }, 'results');
  expect(seen.at(-1)).toEqual(save('7'));
});
