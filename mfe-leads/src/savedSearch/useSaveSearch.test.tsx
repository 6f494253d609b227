/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FLAGS } from '@forecourt/search/brands';
import { recentSearchesStorage } from '@forecourt/search/storage';
import { buildState } from '@forecourt/search/testing';
import { encodeStoredSearch } from '@forecourt/search/url';
import { dialog, mountLeads, refusal } from '../testing/mountLeads.tsx';

const URL = '/cars-for-sale/all/ford?zip=60601';

const address = () => screen.getByRole('textbox', { name: 'Email address' });

const subscribe = () => screen.getByRole('button', { name: /^Subscribed?!?$/ });

afterEach(() => window.localStorage.clear());

describe('click on save-search', () => {
  const click = (shell: ReturnType<typeof mountLeads>) => shell.send('search.saveRequested', {});
  const search = {
    url: URL,
    texts: {
      heading: 'Used Ford Cars for Sale in Chicago, IL',
      title: '',
      description: '',
      canonicalUrl: '',
    },
  };
  const flagsWithoutAlerts = { ...FLAGS, subscribeAlerts: false };

  // rows: A4-SAVE-01, B2-MODAL-11
  it('opens the email-alerts dialog and saves nothing when signed out with the feature on', async () => {
    const shell = mountLeads({ search });
    click(shell);
    const openedDialog = await dialog('Get emails for this search');
    expect(await within(openedDialog).findByText('Used Ford in Chicago, IL')).toBeVisible();
    await userEvent.type(address(), 'ada@example.com');
    await userEvent.click(subscribe());
    await waitFor(() => expect(subscribe()).toHaveTextContent('Subscribed!'));
    expect(shell.bodiesOf('subscribeAlert').map((body) => body['search'])).toEqual([URL]);
    expect(shell.bodiesOf('saveSearch')).toEqual([]);
  });

  // rows: A4-SAVE-02
  it('shows the inline capture once when the email-alerts feature is off', async () => {
    const shell = mountLeads({ search, session: { flags: flagsWithoutAlerts } });
    click(shell);
    expect(shell.eventsOf('search.captureRequested')).toHaveLength(1);
    expect(screen.queryByRole('dialog')).toBeNull();
    const toolbar = document.createElement('div');
    toolbar.dataset['slot'] = 'toolbar';
    toolbar.innerHTML = '<div data-outlet="email-capture"></div>';
    document.body.append(toolbar);
    click(shell);
    await dialog('Sign in');
    toolbar.remove();
    expect(shell.eventsOf('search.captureRequested')).toHaveLength(1);
  });

  // rows: A4-SAVE-02
  it('asks for an account when the search is already subscribed', async () => {
    recentSearchesStorage.write([{ url: URL, subscribed: true }]);
    const shell = mountLeads({ search, session: { flags: flagsWithoutAlerts } });
    click(shell);
    await dialog('Sign in');
    expect(shell.eventsOf('search.captureRequested')).toEqual([]);
  });

  // rows: A4-SAVE-03, A6-ROLE-04, A1-SCOPE-03, B1-SCOPE-04, A7-BOOK-03, A3-SAVED-02
  it('saves the search of a signed-in visitor once for a double click', async () => {
    const criteria = { ...buildState().search.criteria, filters: { makeCode: ['FORD'], zip: ['60601'] } };
    const shell = mountLeads({
      search: { ...search, criteria },
      session: { signedIn: true },
      calls: { saveSearch: (body) => ({ ...body, bookmarkId: 'b1' }) },
    });
    click(shell);
    click(shell);
    expect(await screen.findByText('Saved as “Used Ford in Chicago, IL”.')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    const bodies = shell.bodiesOf('saveSearch');
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toEqual({
      bookmarkId: '',
      bookmarkTitle: 'Used Ford in Chicago, IL',
      searchName: 'Used Ford in Chicago, IL',
      lastExecuted: expect.stringMatching(/^\d{4}\/\d\d\/\d{1,2} \d\d:\d\d:\d\d$/),
      searchResultsURL: encodeStoredSearch(criteria),
    });
    expect(shell.store.getState().search.pageData.saveSearchData).toMatchObject({
      title: 'Used Ford in Chicago, IL',
      subscribed: true,
    });
  });

  // rows: A6-BRAND-04
  it.each([
    ['oem', 1],
    ['atc', 0],
    ['kbb', 0],
  ] as const)('raises the saved-search count of the %s brand by %d', async (brand, by) => {
    const shell = mountLeads({
      search,
      session: { signedIn: true, brand, savedSearchCount: 4 },
      calls: { saveSearch: (body) => ({ ...body, bookmarkId: 'b1' }) },
    });
    click(shell);
    await screen.findByText(/^Saved as/);
    expect(shell.store.getState().session.savedSearchCount).toBe(4 + by);
  });

  it('asks to sign in again when the session has expired', async () => {
    const shell = mountLeads({
      session: { signedIn: true },
      calls: { saveSearch: () => Promise.reject(refusal(401)) },
    });
    shell.send('search.saveRequested', {});
    const openedDialog = await dialog('Sign in');
    expect(await within(openedDialog).findByText(/save this search to your account/)).toBeVisible();
  });

  it('shows a failure toast and saves the search on retry', async () => {
    let isUp = false;
    const shell = mountLeads({
      search,
      session: { signedIn: true },
      calls: { saveSearch: (body) => (isUp ? { ...body, bookmarkId: 'b1' } : { error: 'Request failed' }) },
    });
    click(shell);
    await screen.findByText('We couldn’t save this search.');
    expect(shell.eventsOf('search.saved')).toEqual([]);
    isUp = true;
    await act(async () => screen.getByRole('button', { name: 'Try again' }).click());
    await screen.findByText(/^Saved as/);
  });
});
