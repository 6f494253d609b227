import { expect, it } from '@jest/globals';
import { FLAGS } from '@forecourt/search/brands';
import { marketplaceState } from '@forecourt/search/state';
import { buildState } from '@forecourt/search/testing';
import { renderSlot } from '@forecourt/slots/server';
import savedSearches from './saved-searches.tsx';

const state = buildState({}, { flags: FLAGS });

it.each([
  ['late', () => new Promise<never>(() => {}), true],
  ['not available', () => Promise.reject(new Error('TIMED_OUT')), undefined],
])('renders saved searches without email alerts that are %s', async (_, emailAlerts, isPartial) => {
  const rendered = await renderSlot(marketplaceState, savedSearches, {
    slot: 'saved-searches',
    state: { ...state, page: { kind: 'saved-searches', url: '/account/saved-searches', referrer: null } },
    call: (name) =>
      name === 'emailAlerts' ? emailAlerts() : (Promise.resolve({ myAtcSearchViewBeans: [] }) as never),
    signal: new AbortController().signal,
  });
  expect(rendered).toMatchObject({ page: { status: 200 }, data: { searches: [], alerts: [] } });
  expect(rendered.isPartial).toBe(isPartial);
});
