/** @jest-environment jest-fixed-jsdom */
// The linter's program of this file lacks the matchers' types otherwise.
/// <reference types="@forecourt/build/jest-dom" />
import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { marketplaceState } from '@forecourt/search/state';
import { buildListing, buildState } from '@forecourt/search/testing';
import type { PageHead, SlotModule } from '@forecourt/slots';
import { renderSlot } from '@forecourt/slots/server';
import type { CallName, CallParams } from '@forecourt/upstream/calls';
import { formatLastExecuted } from '@forecourt/upstream/entities';
import savedSearches from './saved-searches.tsx';

type Responses = Partial<Record<CallName, unknown>>;

/** Renders a slot as the server does, puts its HTML into the document, and returns its head and calls. */
async function renderPage(module: SlotModule, url: string, responses: Responses) {
  const calls: { name: CallName; params: CallParams }[] = [];
  const call = async (name: CallName, params: CallParams) => {
    calls.push({ name, params });
    const response = responses[name];
    if (response instanceof Error) throw response;
    return response as never;
  };
  const { html, page } = await renderSlot(marketplaceState, module, {
    slot: 'saved',
    state: { ...buildState(), page: { kind: 'saved-searches', url, referrer: null } },
    call,
    signal: new AbortController().signal,
  });
  document.body.innerHTML = html;
  return { head: page as PageHead, calls };
}

const actionOf = (form: HTMLElement | null) =>
  Object.fromEntries([...form!.querySelectorAll('input')].map(({ name, value }) => [name, value]));

const formOf = (button: string) => screen.getByRole('button', { name: button }).closest('form');

afterEach(() => document.body.replaceChildren());

describe('saved searches page', () => {
  const PATH = '/account/saved-searches';
  const bookmark = {
    bookmarkId: 'b-1234567890123456',
    bookmarkTitle: 'Used <Ford>',
    searchName: 'Used Ford',
    lastExecuted: '2026/06/5 10:00:00',
    searchResultsURL: encodeURIComponent(
      JSON.stringify({ makeCode: 'FORD', zip: '60601', sortBy: 'relevance' }),
    ),
    textModalDisclaimer: '',
    saveSearchInstrText: '',
  };
  const alert = {
    alertId: 'a-1',
    emailAddress: 'ada@example.com',
    brand: 'atc',
    search: 'makeCode=KIA',
    title: 'Kia',
    createdAt: 1,
    frequency: 'atOnce',
  };
  const responses: Responses = {
    bookmarks: { myAtcSearchViewBeans: [bookmark] },
    emailAlerts: { alerts: [alert] },
  };

  it('opens, renames, shares and deletes each search, and ends email alerts', async () => {
    const { head } = await renderPage(savedSearches, PATH, responses);
    expect(head).toEqual({
      title: 'Saved searches',
      description: 'Saved searches in your account.',
      canonical: PATH,
      isIndexed: false,
      status: 200,
    });
    expect(screen.getByRole('link', { name: 'Used <Ford>' })).toHaveAttribute(
      'href',
      `${PATH}/b-1234567890123456`,
    );
    expect(screen.getByRole('link', { name: 'Share Used <Ford>' })).toHaveAttribute(
      'href',
      '/cars-for-sale/all-cars?bookmarkId=b-1234567890123456',
    );
    expect(screen.getByRole('link', { name: 'Kia' })).toHaveAttribute(
      'href',
      '/cars-for-sale/all-cars?makeCode=KIA',
    );
    expect(screen.getByText('Saved June 5, 2026')).toBeVisible();
    expect(screen.queryByRole('status')).toBeNull();
  });

  it.each([
    [{ newMatches: { count: 3, isAtLeast: false } }, '82 matches, 3 new since you saved it'],
    [{ openedAt: 1, newMatches: { count: 1, isAtLeast: false } }, '82 matches, 1 new since you last looked'],
    [
      { openedAt: 1, newMatches: { count: 5_000, isAtLeast: true } },
      '82 matches, 5,000 or more new since you last looked',
    ],
    [{ openedAt: 1, newMatches: { count: 0, isAtLeast: false } }, '82 matches'],
    // Not counted by the account service: by the days since then, of which the day itself was seen.
    [{ openedAt: Date.now() - 3 * 86_400_000 }, '82 matches, 2 new since you last looked'],
    [{ openedAt: Date.now() }, '82 matches'],
  ])('says what is new in a search with %j', async (fields, text) => {
    const { calls } = await renderPage(savedSearches, PATH, {
      bookmarks: { myAtcSearchViewBeans: [{ ...bookmark, ...fields }] },
      emailAlerts: { alerts: [] },
      search: {
        totalResultCount: 82,
        listings: [1, 2, 30].map((daysListed) => buildListing({ id: String(daysListed), daysListed })),
      },
    });
    expect(calls).toContainEqual({ name: 'bookmarks', params: { countNew: 'true' } });
    expect(screen.getByText(text)).toBeVisible();
  });

  it('counts matches and those listed since the search was saved, and switches its emails', async () => {
    const today = new Date();
    const { calls } = await renderPage(savedSearches, PATH, {
      bookmarks: {
        myAtcSearchViewBeans: [
          { ...bookmark, lastExecuted: formatLastExecuted(new Date(today.getTime() - 5 * 86_400_000)) },
          {
            ...bookmark,
            bookmarkId: 'b-2',
            bookmarkTitle: 'Kia',
            searchResultsURL: '%7B%22makeCode%22%3A%22KIA%22%2C%22sortBy%22%3A%22relevance%22%7D',
          },
        ],
      },
      emailAlerts: { alerts: [alert] },
      search: {
        totalResultCount: 82,
        listings: [buildListing({ daysListed: 1 }), buildListing({ id: '2', daysListed: 30 })],
      },
    });
    expect(calls.filter(({ name }) => name === 'search').map(({ params }) => params)).toMatchObject([
      { makeCode: 'FORD', zip: '60601', sortBy: 'datelistedDESC', numRecords: '30' },
      { makeCode: 'KIA', sortBy: 'datelistedDESC' },
    ]);
    const item = (title: string) =>
      within(screen.getAllByRole('link', { name: title })[0]!.closest('li') as HTMLElement);
    expect(item('Used <Ford>').getByText('82 matches, 1 new since you saved it')).toBeVisible();
    const chosen = (title: string) =>
      item(title)
        .getAllByRole('button', { pressed: true })
        .map(({ textContent }) => textContent);
    expect([chosen('Used <Ford>'), chosen('Kia')]).toEqual([['Off'], ['At once']]);
    const daily = item('Kia').getByRole('button', { name: 'Daily' });
    expect([daily.getAttribute('name'), daily.getAttribute('value')]).toEqual(['frequency', 'daily']);
    expect(actionOf(daily.closest('form'))).toEqual({
      action: 'alert',
      id: 'a-1',
      search: '/cars-for-sale/all-cars?makeCode=KIA',
    });
    expect(actionOf(item('Used <Ford>').getByRole('button', { name: 'Off' }).closest('form'))).toMatchObject({
      action: 'alert',
      id: '',
    });
    // Its own switch is the only one.
    expect(screen.queryByRole('heading', { name: 'Emails about other searches' })).toBeNull();
  });

  it('lists the searches without counts when the search fails', async () => {
    await renderPage(savedSearches, PATH, { ...responses, search: new Error('down') });
    expect(screen.getByRole('link', { name: 'Used <Ford>' })).toBeVisible();
    expect(screen.queryByText(/\d match/)).toBeNull();
  });

  it('sends every change as an HTML form that works without JavaScript', async () => {
    await renderPage(savedSearches, PATH, responses);
    const id = bookmark.bookmarkId;
    document.querySelector('details')!.open = true;
    expect(actionOf(formOf('Save name'))).toEqual({ action: 'rename', id, title: 'Used <Ford>' });
    expect(actionOf(formOf('Delete Used <Ford>'))).toEqual({
      action: 'delete',
      id,
      title: 'Used <Ford>',
      search: bookmark.searchResultsURL,
    });
    expect(actionOf(screen.getAllByRole('button', { name: 'Off' })[1]!.closest('form'))).toMatchObject({
      action: 'alert',
      id: 'a-1',
    });
    for (const form of document.forms) {
      expect(form).toHaveAttribute('method', 'post');
      expect(form).toHaveAttribute('action', PATH);
    }
  });

  it('keeps a refused name in its form and shows the reason beside it', async () => {
    const title = `${'x'.repeat(121)}"`;
    const query = new URLSearchParams({
      refused: bookmark.bookmarkId,
      title,
      reason: 'Your car won a prize',
    });
    await renderPage(savedSearches, `${PATH}?${query}`, responses);
    const field = screen.getByLabelText('New name');
    expect(field).toBeVisible();
    expect(field).toHaveValue(title);
    expect(field).toBeInvalid();
    expect(field).toHaveAccessibleDescription('At most 120 characters');
    expect(document.body).not.toHaveTextContent('prize');
  });

  it('shows no error when the URL refuses a title that is valid', async () => {
    const query = new URLSearchParams({ refused: bookmark.bookmarkId, title: 'My truck', reason: 'No' });
    await renderPage(savedSearches, `${PATH}?${query}`, responses);
    expect(document.querySelector('details')).not.toHaveAttribute('open');
    expect(document.querySelector('[name="title"]')).toHaveValue('Used <Ford>');
  });

  it.each([
    ['renamed', 'Search renamed.'],
    ['deleted', 'Search deleted.'],
    ['ended', "You won't get any more emails for this search."],
    ['failed', 'Something went wrong, and nothing was changed. Please try again.'],
  ])('announces the result of a form when it redirects with done=%s', async (done, message) => {
    await renderPage(savedSearches, `${PATH}?done=${done}`, responses);
    expect(screen.getByRole('status')).toHaveTextContent(message);
  });

  it('offers to save a deleted search again', async () => {
    const deleted = { title: 'Used <Ford>', search: bookmark.searchResultsURL };
    await renderPage(
      savedSearches,
      `${PATH}?${new URLSearchParams({ done: 'deleted', ...deleted })}`,
      responses,
    );
    expect(actionOf(formOf('Undo'))).toEqual({ action: 'restore', ...deleted });
    await renderPage(savedSearches, `${PATH}?done=deleted`, responses);
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('announces nothing for an unknown result', async () => {
    await renderPage(savedSearches, `${PATH}?done=toString`, responses);
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('explains how to save a search when there is none', async () => {
    await renderPage(savedSearches, PATH, { bookmarks: { myAtcSearchViewBeans: [] }, emailAlerts: {} });
    expect(screen.getByText(/You haven’t saved a search yet/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'See cars for sale' })).toBeVisible();
  });

  it('returns 503 and offers to try again when the account service is unavailable', async () => {
    const { head } = await renderPage(savedSearches, PATH, {
      ...responses,
      bookmarks: { error: 'Request timed out' },
    });
    expect(head).toMatchObject({ status: 503, isIndexed: false });
    expect(screen.getByRole('link', { name: 'Try again' })).toHaveAttribute('href', PATH);
  });
});
