import { afterEach, describe, expect, it } from '@jest/globals';
import type { CallName } from '@forecourt/shared-contracts/calls';
import { buildListing, buildOwner } from '@forecourt/shared-contracts/testing';
import { CallFailure } from '../../gateway/callFailure.ts';
import { startShell, type CallAnswer, type ShellRig } from '../../testing/shellRig.ts';
import { priceChange } from './savedVehiclesView.ts';

const COOKIE = { cookie: 'signedIn=true' };
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
};
type Answers = Partial<Record<CallName, unknown>>;

let rig: ShellRig | undefined;
afterEach(() => rig?.stop());

async function start(answers: Answers = {}) {
  const all: Answers = {
    bookmarks: { myAtcSearchViewBeans: [bookmark] },
    emailAlerts: { alerts: [alert] },
    savedListings: { savedListings: [] },
    ...answers,
  };
  const answering =
    (answer: unknown): CallAnswer =>
    () => {
      if (answer instanceof Error) throw answer;
      return answer;
    };
  rig = await startShell({
    answers: Object.fromEntries(Object.entries(all).map(([name, answer]) => [name, answering(answer)])),
    deps: {
      sessions: {
        isPresent: ({ headers }) => headers.cookie !== undefined,
        idToken: () => Promise.resolve('token'),
        account: ({ headers }) =>
          Promise.resolve(headers.cookie ? { firstName: 'Ada', email: 'ada@example.com' } : undefined),
      },
    },
  });
  return rig;
}
const post = (body: string, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { ...COOKIE, 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body,
});
const named = (shell: ShellRig, name: CallName) => shell.calls.filter((call) => call.name === name);

describe('the page of saved searches', () => {
  // rows: B6-ROLE-03
  it('sends whoever is signed out to sign in and come back', async () => {
    const shell = await start();
    const answer = await shell.send('/account/saved-searches');
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toBe('/account/sign-in?refUrl=%2Faccount%2Fsaved-searches');
    expect(shell.calls).toEqual([]);
  });

  it('opens, renames, shares and deletes each search, and ends email alerts', async () => {
    const { send } = await start();
    const { status, text } = await send('/account/saved-searches', { headers: COOKIE });
    expect(status).toBe(200);
    expect(text).toContain(
      'href="/cars-for-sale/all-cars?makeCode=FORD&amp;zip=60601">Used &lt;Ford&gt;</a>',
    );
    expect(text).toContain('href="/cars-for-sale/all-cars?bookmarkId=b-1234567890123456"');
    expect(text).toContain('href="/cars-for-sale/all-cars?makeCode=KIA">Kia</a>');
    expect(text).toContain('Saved June 5, 2026');
    for (const action of ['rename', 'delete', 'end']) expect(text).toContain(`value="${action}"`);
  });

  it.each([
    ['rename', 'id=b-1234567890123456&title=New', 'renameBookmark', 'renamed'],
    ['delete', 'id=b-1234567890123456', 'deleteBookmark', 'deleted'],
    ['end', 'id=a-1', 'deleteAlert', 'ended'],
  ] as const)('does %s by a form, without a script', async (action, fields, call, done) => {
    const shell = await start({ renameBookmark: bookmark, deleteBookmark: null, deleteAlert: null });
    const answer = await shell.send('/account/saved-searches', post(`action=${action}&${fields}`));
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toBe(`/account/saved-searches?done=${done}`);
    expect(named(shell, call)).toHaveLength(1);
    const { text } = await shell.send(answer.headers.location!, { headers: COOKIE });
    expect(text).toContain('role="status"');
  });

  it('keeps a name that is refused, and says why beside it', async () => {
    const shell = await start();
    const answer = await shell.send(
      '/account/saved-searches',
      post(`action=rename&id=${bookmark.bookmarkId}&title=${encodeURIComponent(`${'x'.repeat(121)}"`)}`),
    );
    expect(answer.text).toContain(`value="${'x'.repeat(121)}&quot;"`);
    expect(answer.text).toContain('At most 120 characters');
    expect(named(shell, 'renameBookmark')).toEqual([]);
  });

  it('changes nothing for a form of another site, and says so', async () => {
    const shell = await start();
    const answer = await shell.send(
      '/account/saved-searches',
      post('action=delete&id=b-1', { origin: 'https://evil.example' }),
    );
    expect(answer.status).toBe(403);
    expect(shell.calls).toEqual([]);
  });

  it('says that it did not work when the upstream could not be told', async () => {
    const shell = await start({ deleteBookmark: { error: 'Request failed' } });
    const answer = await shell.send('/account/saved-searches', post('action=delete&id=b-1'));
    expect(answer.headers.location).toBe('/account/saved-searches?done=failed');
    const { text } = await shell.send(answer.headers.location!, { headers: COOKIE });
    expect(text).toContain('<p class="fp-saved-status is-failure" role="status">That did not work.');
  });

  it('offers to try again when nothing can be shown', async () => {
    const { send } = await start({ bookmarks: { error: 'Request timed out' } });
    const { status, text } = await send('/account/saved-searches', { headers: COOKIE });
    expect(status).toBe(503);
    expect(text).toContain('href="/account/saved-searches"');
  });
});

describe('the page of saved vehicles', () => {
  const savedListings = { savedListings: [{ listingId: '7', savedAt: 1, savedPrice: 35_000 }] };

  it('shows each with its price now and then, and removes it by a form', async () => {
    const shell = await start({
      savedListings,
      listing: { listing: buildListing({ id: '7' }), owner: buildOwner() },
      unsaveListing: null,
    });
    const { text } = await shell.send('/account/saved-vehicles', { headers: COOKIE });
    expect(text).toContain('2021 Ford F-150 XLT');
    expect(text).toContain('$2,005 less than when you saved it');
    const answer = await shell.send('/account/saved-vehicles', post('id=7'));
    expect(answer.headers.location).toBe('/account/saved-vehicles?done=removed');
    expect(named(shell, 'unsaveListing')).toHaveLength(1);
  });

  it('says which are no longer for sale', async () => {
    const { send } = await start({
      savedListings,
      listing: new CallFailure('REFUSED', 'listing', 'gone', 404),
    });
    const { text } = await send('/account/saved-vehicles', { headers: COOKIE });
    expect(text).toContain('No longer for sale');
  });

  it('says how to save one when there is none', async () => {
    const { send } = await start();
    expect((await send('/account/saved-vehicles', { headers: COOKIE })).text).toContain(
      'You have not saved a vehicle yet',
    );
  });
});

it.each([
  [30_000, 28_000, '$2,000 less than when you saved it'],
  [30_000, 31_500, '$1,500 more than when you saved it'],
  [30_000, 30_000, undefined],
  [undefined, 30_000, undefined],
  [30_000, undefined, undefined],
])('compares a price of %s with one of %s', (then, now, words) => expect(priceChange(then, now)).toBe(words));
