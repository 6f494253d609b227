/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import type { FilterValues } from '@forecourt/search/criteria';
import { EVENT_SCHEMAS } from '@forecourt/search/events';
import { createStore } from '@forecourt/search/state';
import { buildState } from '@forecourt/search/testing';
import { createEventBus } from '@forecourt/slots/events';
import { rememberZip } from './rememberZip.ts';

const { criteria } = buildState().search;
function start(filters: FilterValues, visitorZip: string | null = null) {
  const store = createStore(buildState({ criteria: { ...criteria, filters } }, { visitorZip }));
  const bus = createEventBus(EVENT_SCHEMAS, ({ reason }) => {
    throw new Error(reason);
  });
  rememberZip(store, bus);
  return {
    kept: () => store.getState().session.visitorZip,
    ask: (next: FilterValues, cause = 'test') =>
      bus.emit('search.changeRequested', { criteria: { ...criteria, filters: next }, cause }, 'filters'),
  };
}
const cookie = () => /(?:^|; )zip=(\d+)/.exec(document.cookie)?.[1];

describe('rememberZip', () => {
  afterEach(() => {
    document.cookie = 'zip=; Path=/; Max-Age=0';
  });

  // rows: B4-CLEAR-01
  it('stores the last chosen ZIP before the search starts and keeps it when filters are cleared', () => {
    const { ask, kept } = start({ makeCode: ['FORD'] });
    ask({ makeCode: ['FORD'], zip: ['60601'], searchRadius: ['25'] });
    expect([cookie(), kept()]).toEqual(['60601', '60601']);
    ask({ searchRadius: ['25'] }, 'clearFilters');
    expect([cookie(), kept()]).toEqual(['60601', '60601']);
    ask({ zip: ['30303'] });
    expect([cookie(), kept()]).toEqual(['30303', '30303']);
  });

  it('does not store the ZIP of a followed link', () => {
    const { ask, kept } = start({ zip: ['60601'] });
    ask({ zip: ['60601'], makeCode: ['FORD'] });
    expect([cookie(), kept()]).toEqual([undefined, null]);
  });

  // rows: B4-CLEAR-01
  it("stores a followed link's ZIP when only its radius remains, as the center", () => {
    for (const [filters, cause] of [
      [{}, 'clearFilters'],
      [{ makeCode: ['FORD'] }, 'dialog'],
    ] as const) {
      const { ask, kept } = start({ ...filters, zip: ['60601'], searchRadius: ['25'] });
      ask({ searchRadius: ['25'] }, cause);
      expect([cookie(), kept()]).toEqual(['60601', '60601']);
    }
  });

  it('removes the ZIP when the field is emptied', () => {
    const { ask, kept } = start({ makeCode: ['FORD'], zip: ['60601'], searchRadius: ['25'] }, '60601');
    ask({ makeCode: ['FORD'], searchRadius: ['25'] });
    expect([cookie(), kept()]).toEqual([undefined, null]);
  });

  it('keeps the ZIP while a city is searched', () => {
    const { ask, kept } = start({ zip: ['60601'] }, '60601');
    ask({ city: ['Atlanta'], state: ['GA'] });
    expect(kept()).toBe('60601');
  });

  it('removes the ZIP when the location is removed', () => {
    document.cookie = 'zip=60601; Path=/';
    const { ask, kept } = start({ zip: ['60601'], searchRadius: ['25'] }, '60601');
    ask({ makeCode: ['FORD'] });
    expect([cookie(), kept()]).toEqual([undefined, null]);
  });

  it('removes the ZIP when clearing the filters leaves no radius', () => {
    const { ask, kept } = start({ zip: ['60601'], makeCode: ['FORD'] }, '60601');
    ask({}, 'clearFilters');
    expect([cookie(), kept()]).toEqual([undefined, null]);
  });

  it('ignores an invalid ZIP', () => {
    const { ask, kept } = start({});
    ask({ zip: ['6060'] });
    expect([cookie(), kept()]).toEqual([undefined, null]);
  });
});
