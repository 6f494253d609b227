/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { QUICK_SAVE_LIMIT } from './savedListings.ts';
import { savedListingsStorage } from '@forecourt/search/storage';
import { dialog, mountLeads, refusal } from '../testing/mountLeads.tsx';

const FULL = ['a', 'b', 'c'];

const saved = (shell: ReturnType<typeof mountLeads>) => shell.store.getState().session.savedListingIds;

const save = (shell: ReturnType<typeof mountLeads>, listingId = '1001') =>
  shell.send('listing.saveRequested', { listingId });

const names = (shell: ReturnType<typeof mountLeads>) => shell.calls.map(({ name }) => name);

afterEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
});

describe('saving a listing in a browser that stores nothing', () => {
  it('says so and leaves the heart empty', () => {
    const setItem = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const shell = mountLeads();
    save(shell);
    expect(saved(shell)).toEqual([]);
    expect(screen.getByText(/^We couldn’t save this vehicle: your browser’s storage/)).toBeVisible();
    expect(screen.queryByText('Saved to your vehicles.')).toBeNull();
    setItem.mockRestore();
  });
});

describe('saving a listing before the state of the page has followed', () => {
  it('keeps every saved listing in the browser, and offers to undo', () => {
    const shell = mountLeads();
    const before = shell.store.getState();
    const getState = jest.spyOn(shell.store, 'getState').mockReturnValue(before);
    for (const listingId of ['1001', '1002']) save(shell, listingId);
    getState.mockRestore();
    expect(savedListingsStorage.read()).toEqual(['1002', '1001']);
    expect(saved(shell)).toEqual(['1002', '1001']);
    expect(screen.getByText('Saved to your vehicles.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Undo' })).toBeVisible();
  });
});

describe('saving a listing when signed in', () => {
  const signedIn = { signedIn: true, account: { firstName: 'Ada', email: 'ada@example.com' } };

  // rows: A6-ROLE-04, A1-SCOPE-05, A4-LISTSAVE-02
  it('saves a listing to the account at once and removes it on the second click', async () => {
    const shell = mountLeads({ session: signedIn });
    await waitFor(() => expect(names(shell)).toContain('savedListings'));
    save(shell);
    expect(saved(shell)).toEqual(['1001']);
    expect(screen.queryByRole('dialog')).toBeNull();
    const paramsOf = (call: string) =>
      shell.calls.filter(({ name }) => name === call).map(({ params }) => params);
    await waitFor(() => expect(paramsOf('saveListing')).toEqual([{ listingId: '1001' }]));
    save(shell);
    expect(saved(shell)).toEqual([]);
    await waitFor(() => expect(paramsOf('unsaveListing')).toEqual([{ listingId: '1001' }]));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('undoes saving a listing from the toast', async () => {
    const shell = mountLeads({ session: signedIn });
    save(shell);
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(saved(shell)).toEqual([]);
    await waitFor(() => expect(names(shell).at(-1)).toBe('unsaveListing'));
  });

  it('reverts a save when the account call fails, and offers a retry', async () => {
    let isUp = false;
    const shell = mountLeads({
      session: signedIn,
      calls: { saveListing: () => (isUp ? null : { error: 'Request failed', path: '/saved-listings' }) },
    });
    save(shell);
    expect(saved(shell)).toEqual(['1001']);
    await screen.findByText('We couldn’t save this vehicle.');
    expect(saved(shell)).toEqual([]);
    isUp = true;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(saved(shell)).toEqual(['1001']);
  });

  it('asks to sign in when the session has expired, and saves the listing afterwards', async () => {
    const shell = mountLeads({
      session: signedIn,
      calls: { saveListing: () => Promise.reject(refusal(401)) },
    });
    save(shell);
    const openedDialog = await dialog('Sign in');
    expect((await within(openedDialog).findAllByRole('link'))[0]).toHaveTextContent('Sign in');
    expect(saved(shell)).toEqual([]);
    expect(window.sessionStorage.getItem('saveAfterSignIn')).toBe('"1001"');
    expect(screen.getByText('Your session expired. Sign in again to save this car.')).toBeInTheDocument();
  });

  it('saves the state of the last of several fast clicks', async () => {
    const inAccount = new Set<string>();
    const shell = mountLeads({
      session: signedIn,
      calls: {
        saveListing: async (_, { listingId = '' }) => void inAccount.add(listingId),
        unsaveListing: async (_, { listingId = '' }) => void inAccount.delete(listingId),
      },
    });
    for (let click = 0; click < 5; click += 1) save(shell);
    await act(async () => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(saved(shell)).toEqual(['1001']);
    expect([...inAccount]).toEqual(['1001']);
  });

  it("moves the browser's listings and the one that led to the sign-in into the account once", async () => {
    savedListingsStorage.write(['7', '8']);
    window.sessionStorage.setItem('saveAfterSignIn', '"9"');
    const shell = mountLeads({
      session: { ...signedIn, savedSearchCount: 4 },
      calls: {
        mergeSavedListings: ({ listingIds }) => ({
          savedListings: (listingIds as string[]).map((listingId) => ({ listingId, savedAt: 1 })),
        }),
      },
    });
    await waitFor(() => expect(saved(shell)).toEqual(['9', '7', '8']));
    expect(shell.bodiesOf('mergeSavedListings')).toEqual([{ listingIds: ['9', '7', '8'] }]);
    expect(savedListingsStorage.read()).toEqual([]);
    expect(window.sessionStorage.getItem('saveAfterSignIn')).toBeNull();
    expect(shell.store.getState().session).toMatchObject({
      account: { firstName: 'Ada' },
      savedSearchCount: 4,
    });
  });

  it.each([
    ['an error object', () => ({ error: 'Request failed' })],
    ['no response', () => Promise.reject(refusal(502))],
  ])("keeps the browser's listings after %s", async (_, fail) => {
    savedListingsStorage.write(['7']);
    const shell = mountLeads({ session: signedIn, calls: { mergeSavedListings: fail } });
    await waitFor(() => expect(shell.bodiesOf('mergeSavedListings')).toHaveLength(1));
    expect(savedListingsStorage.read()).toEqual(['7']);
  });
});

describe('saving a listing when signed out', () => {
  // rows: A4-LISTSAVE-03, A4-LISTSAVE-04
  it('saves listings without an account below the limit, and removes them', () => {
    expect(FULL).toHaveLength(QUICK_SAVE_LIMIT);
    const shell = mountLeads({ session: { savedListingIds: FULL.slice(1) } });
    save(shell);
    expect(saved(shell)).toEqual(['1001', 'b', 'c']);
    save(shell, 'b');
    expect(saved(shell)).toEqual(['1001', 'c']);
    expect(names(shell)).toEqual([]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  // rows: A4-LISTSAVE-05, A4-LISTSAVE-08, A4-LISTSAVE-09, A6-ROLE-02
  it('asks to sign in at the limit, shows the benefits of an account, and saves nothing', async () => {
    const shell = mountLeads({ session: { savedListingIds: FULL, signInPath: '/login' } });
    save(shell);
    const openedDialog = await dialog('Sign in');
    expect(
      await within(openedDialog).findByRole('heading', { name: 'Save Cars with a Free Account' }),
    ).toBeVisible();
    expect(
      within(openedDialog).getByText(
        'Create an account to track price changes, saved cars across devices, and more.',
      ),
    ).toBeVisible();
    expect(within(openedDialog).getByRole('link', { name: 'Create a free account' })).toHaveAttribute(
      'href',
      '/login?defaultScreen=signup&refUrl=%2F',
    );
    expect(saved(shell)).toEqual(FULL);
    expect(window.sessionStorage.getItem('saveAfterSignIn')).toBe('"1001"');
    await userEvent.click(within(openedDialog).getByRole('button', { name: 'Close' }));
    expect(shell.eventsOf('signIn.dismissed')).toEqual([{ reason: 'saveListing', listingId: '1001' }]);
    expect(window.sessionStorage.getItem('saveAfterSignIn')).toBeNull();
  });

  // rows: A4-LISTSAVE-06, A4-LISTSAVE-07, A4-LISTSAVE-08
  it("shows the listing as saved on the automaker's brand while the dialog is open, without the benefits", async () => {
    const shell = mountLeads({ session: { brand: 'oem', savedListingIds: FULL } });
    save(shell);
    const openedDialog = await dialog('Sign in');
    await within(openedDialog).findByRole('link', { name: 'Sign in' });
    expect(saved(shell)).toEqual(['1001', ...FULL]);
    expect(screen.queryByText('Save Cars with a Free Account')).toBeNull();
    await userEvent.click(within(openedDialog).getByRole('button', { name: 'Close' }));
    expect(saved(shell)).toEqual(FULL);
  });

  // rows: A4-LISTSAVE-10, A4-LISTSAVE-08, A4-LISTSAVE-09
  it('saves the listing before the sign-in on the valuation brand, shows the benefits and keeps it saved', async () => {
    const shell = mountLeads({ session: { brand: 'kbb', savedListingIds: FULL } });
    save(shell);
    expect(saved(shell)).toEqual(['1001', ...FULL]);
    const openedDialog = within(await dialog('Sign in'));
    await openedDialog.findByRole('heading', { name: 'Save Cars with a Free Account' });
    expect(openedDialog.getByText(/^Create an account to track price changes/)).toBeVisible();
    await userEvent.click(openedDialog.getByRole('button', { name: 'Close' }));
    expect(saved(shell)).toEqual(['1001', ...FULL]);
  });
});
