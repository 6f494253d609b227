/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { searchLoaded } from '@forecourt/shared-contracts/store';
import { buildState } from '@forecourt/shared-contracts/testing';
import { listings, mountResults } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';

beforeEach(() => {
  prepareViewport();
  window.scrollBy = () => {};
});

const arrivedBy = (type: string) => Object.assign(performance, { getEntriesByType: () => [{ type }] });
const opened = (listingId: string, firstRecord: number) =>
  sessionStorage.setItem(
    'openedCard',
    JSON.stringify({ url: window.location.pathname, listingId, firstRecord, top: 200 }),
  );
const lastPage = {
  listings: listings(61, 30),
  pageSizes: [30],
  totalResultCount: 90,
  firstLoadedRecord: 60,
  criteria: { ...buildState().search.criteria, firstRecord: 60 },
};

describe('coming back to a card of an earlier page', () => {
  it('asks for its page in place of the one that was read last, then focuses the card', async () => {
    arrivedBy('back_forward');
    opened('31', 30);
    const { sent, later, store } = mountResults(lastPage);
    await later();
    expect(sent('search.changeRequested')).toMatchObject([
      { criteria: { firstRecord: 30 }, cause: 'return', history: 'replace' },
    ]);
    const { requestId, status: _, ...before } = store.getState().search;
    const page = {
      ...before,
      listings: listings(31, 30),
      firstLoadedRecord: 30,
      criteria: { ...before.criteria, firstRecord: 30 },
    };
    act(() => void store.dispatch(searchLoaded({ requestId, page })));
    await waitFor(() => expect(screen.getByRole('link', { name: 'Vehicle 31' })).toHaveFocus());
    expect(sent('search.changeRequested')).toHaveLength(1);
  });

  it.each([
    ['the card is on the page', 'back_forward', '61', 60],
    ['the page was opened anew', 'navigate', '31', 30],
    ['the vehicle is gone from its page', 'back_forward', 'gone', 60],
  ])('asks for nothing when %s', async (_, type, listingId, firstRecord) => {
    arrivedBy(type);
    opened(listingId, firstRecord);
    const { sent, later } = mountResults(lastPage);
    await later();
    expect(sent('search.changeRequested')).toEqual([]);
  });
});
