import { afterEach, describe, expect, it } from '@jest/globals';
import type { CallName } from '@forecourt/upstream/calls';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';

const COOKIE = { cookie: 'signedIn=true' };
const BOOKMARK_ID = 'b-1234567890123456';
const LISTS = ['/account/saved-searches', '/account/saved-vehicles'] as const;

let rig: ShellRig | undefined;
afterEach(() => rig?.stop());

/** Every write resolves to `result`. */
async function start(result: unknown = null) {
  const resolve = () => result;
  rig = await startShell({
    answers: {
      renameBookmark: resolve,
      openBookmark: resolve,
      deleteBookmark: resolve,
      deleteAlert: resolve,
      subscribeAlert: resolve,
      saveSearch: resolve,
      unsaveListing: resolve,
      deleteAccountData: resolve,
      accountData: () => ({ bookmarks: [], ...(result as object) }),
    },
    deps: {
      sessions: {
        isPresent: ({ headers }) => headers.cookie?.includes('account=') ?? false,
        idToken: () => Promise.resolve('token'),
        account: () => Promise.resolve({ firstName: 'Ada', email: 'ada@example.com' }),
      },
    },
  });
  return rig;
}
const SIGNED_IN = { cookie: 'signedIn=true; account=sealed' };
const post = (body: string, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { ...SIGNED_IN, 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body,
});
const named = (shell: ShellRig, name: CallName) => shell.calls.filter((call) => call.name === name);

describe('pages of saved searches and vehicles', () => {
  it('downloads the data of the account, and deletes it before the account itself', async () => {
    const shell = await start();
    expect((await shell.send('/account/data')).status).toBe(302);
    const { headers, text } = await shell.send('/account/data', { headers: SIGNED_IN });
    expect(headers).toMatchObject({
      'content-disposition': 'attachment; filename=my-data.json',
      'cache-control': 'no-store',
    });
    expect(JSON.parse(text)).toEqual({
      account: { firstName: 'Ada', email: 'ada@example.com' },
      bookmarks: [],
    });
    const foreign = post('', { Origin: 'https://evil.example' });
    expect((await shell.send('/account/data', foreign)).status).toBe(403);
    expect(named(shell, 'deleteAccountData')).toHaveLength(0);
    // Not by a redirect: from there the issuer's page opens, which is on another origin.
    const deleted = await shell.send('/account/data', post(''));
    expect(deleted).toMatchObject({ status: 200, headers: { refresh: '0; url=/account/delete' } });
    expect(deleted.text).toContain('href="/account/delete"');
    expect(named(shell, 'deleteAccountData')).toHaveLength(1);
  });

  it('keeps the account when its data cannot be deleted', async () => {
    const shell = await start({ error: 'unavailable' });
    expect((await shell.send('/account/data', { headers: SIGNED_IN })).status).toBe(503);
    const { location } = (await shell.send('/account/data', post(''))).headers;
    expect(location).toBe('/account/saved-vehicles?done=failed');
  });

  // rows: B6-ROLE-03
  it('redirects signed-out visitors from saved searches to sign in and come back', async () => {
    const shell = await start();
    const { status, headers } = await shell.send(LISTS[0]);
    expect(status).toBe(302);
    expect(headers.location).toBe(`/account/sign-in?refUrl=${encodeURIComponent(LISTS[0])}`);
    expect(headers['cache-control']).toBe('no-store');
    expect(shell.calls).toEqual([]);
  });

  it('asks to sign in when a form removes a vehicle of an account without one', async () => {
    const shell = await start();
    const { headers } = await shell.send(LISTS[1], { ...post('id=7'), headers: {} });
    expect(headers['refresh']).toBe(`0; url=/account/sign-in?refUrl=${encodeURIComponent(LISTS[1])}`);
    expect(shell.calls).toEqual([]);
  });

  it.each(LISTS)('%s clears a signedIn cookie without a session', async (path) => {
    const { send } = await start();
    const { status, headers } = await send(path, { headers: COOKIE });
    expect(status).toBe(302);
    expect(headers['set-cookie']).toContainEqual(expect.stringMatching(/^signedIn=; Max-Age=0/));
  });

  it.each([
    ['rename', `id=${BOOKMARK_ID}&title=New`, 'renameBookmark', 'renamed'],
    ['delete', `id=${BOOKMARK_ID}`, 'deleteBookmark', 'deleted'],
    ['alert', 'id=a-1&frequency=off', 'deleteAlert', 'ended'],
    ['alert', 'frequency=atOnce&search=makeCode%3DFORD', 'subscribeAlert', 'subscribed'],
  ] as const)('runs the form action %s and redirects back', async (action, fields, call, done) => {
    const shell = await start();
    const { status, headers } = await shell.send(LISTS[0], post(`action=${action}&${fields}`));
    expect(status).toBe(302);
    expect(headers.location).toBe(`/account/saved-searches?done=${done}`);
    expect(named(shell, call)).toHaveLength(1);
  });

  it('emails new matches to the address of the account, and never as often as no one offers', async () => {
    const shell = await start();
    const change = (fields: string) =>
      shell.send(LISTS[0], post(`action=alert&search=makeCode%3DFORD&${fields}`));
    await change('frequency=daily&emailAddress=eve%40example.com');
    expect(named(shell, 'subscribeAlert')[0]?.context).toMatchObject({
      body: { emailAddress: 'ada@example.com', brand: 'atc', search: 'makeCode=FORD', frequency: 'daily' },
    });
    expect((await change('frequency=hourly')).headers.location).toBe('/account/saved-searches?done=failed');
    expect((await change('frequency=off&id=')).headers.location).toBe('/account/saved-searches?done=ended');
    expect(named(shell, 'subscribeAlert')).toHaveLength(1);
    expect(named(shell, 'deleteAlert')).toHaveLength(0);
  });

  it('carries a deleted search in the redirect, and saves it again on request', async () => {
    const shell = await start();
    const search = encodeURIComponent(JSON.stringify({ makeCode: 'FORD', sortBy: 'relevance' }));
    const fields = new URLSearchParams({ title: 'Fords', search }).toString();
    const { headers } = await shell.send(LISTS[0], post(`action=delete&id=${BOOKMARK_ID}&${fields}`));
    expect(headers.location).toBe(`/account/saved-searches?done=deleted&${fields}`);
    const restored = await shell.send(LISTS[0], post(`action=restore&${fields}`));
    expect(restored.headers.location).toBe('/account/saved-searches?done=restored');
    expect(named(shell, 'saveSearch')[0]?.context).toMatchObject({
      body: { bookmarkId: '', bookmarkTitle: 'Fords', searchResultsURL: search },
    });
    const invalid = await shell.send(LISTS[0], post('action=restore&title=Fords&search=%7B'));
    expect(invalid.headers.location).toBe('/account/saved-searches?done=failed');
    expect(named(shell, 'saveSearch')).toHaveLength(1);
  });

  it('opens a saved search at its new vehicles, and records that', async () => {
    const searchResultsURL = encodeURIComponent(JSON.stringify({ makeCode: 'FORD', sortBy: 'relevance' }));
    const open = async (newMatches?: object) => {
      const shell = await start({ bookmarkId: BOOKMARK_ID, searchResultsURL, newMatches });
      const { status, headers } = await shell.send(`${LISTS[0]}/${BOOKMARK_ID}`, { headers: SIGNED_IN });
      expect(named(shell, 'openBookmark')).toMatchObject([{ params: `bookmarkId=${BOOKMARK_ID}` }]);
      await shell.stop();
      return [status, headers['cache-control'], headers.location];
    };
    const FORDS = '/cars-for-sale/all-cars?makeCode=FORD';
    expect(await open({ count: 2, isAtLeast: false })).toEqual([
      302,
      'no-store',
      `${FORDS}&sortBy=datelistedDESC`,
    ]);
    expect(await open({ count: 0, isAtLeast: false })).toEqual([302, 'no-store', FORDS]);
    expect(await open()).toEqual([302, 'no-store', FORDS]);
  });

  it('opens a saved search that can’t be recorded as its link does', async () => {
    const shell = await start({ error: 'Circuit Breaker for /searchbookmarks is open' });
    const { headers } = await shell.send(`${LISTS[0]}/${BOOKMARK_ID}`, { headers: SIGNED_IN });
    expect(headers.location).toBe(`/cars-for-sale/all-cars?searchBookmarkId=${BOOKMARK_ID}`);
  });

  it('removes a saved vehicle and redirects back', async () => {
    const shell = await start();
    const { headers } = await shell.send(LISTS[1], post('id=7'));
    expect(headers.location).toBe('/account/saved-vehicles?done=removed');
    expect(named(shell, 'unsaveListing')).toHaveLength(1);
  });

  it('redirects back with the typed title and the reason when a title is invalid', async () => {
    const shell = await start();
    const title = `${'x'.repeat(121)}"`;
    const { status, headers } = await shell.send(
      LISTS[0],
      post(`action=rename&id=${BOOKMARK_ID}&title=${encodeURIComponent(title)}`),
    );
    expect(status).toBe(302);
    const target = new URL(headers.location ?? '', 'http://x');
    expect(target.pathname).toBe(LISTS[0]);
    expect(Object.fromEntries(target.searchParams)).toEqual({
      refused: BOOKMARK_ID,
      title,
      reason: 'too_big',
    });
    expect(named(shell, 'renameBookmark')).toEqual([]);
  });

  it.each(LISTS)('%s refuses forms of another site', async (path) => {
    const shell = await start();
    const response = await shell.send(path, post('action=delete&id=b-1', { origin: 'https://evil.example' }));
    expect(response.status).toBe(403);
    expect(response.text).toContain('Nothing was changed');
    expect(shell.calls).toEqual([]);
  });

  it('leads from a form of a signed-out visitor to sign in, but not by a redirect', async () => {
    const shell = await start();
    const { status, headers } = await shell.send(LISTS[0], { ...post('action=delete&id=b-1'), headers: {} });
    expect(status).toBe(200);
    expect(headers['refresh']).toMatch(/^0; url=\/account\/sign-in\?/);
    expect(headers.location).toBeUndefined();
    expect(shell.calls).toEqual([]);
  });

  it('redirects back with a failure when the upstream does not accept the change', async () => {
    const shell = await start({ error: 'Request failed' });
    const { headers } = await shell.send(LISTS[0], post('action=delete&id=b-1'));
    expect(headers.location).toBe('/account/saved-searches?done=failed');
  });
});
