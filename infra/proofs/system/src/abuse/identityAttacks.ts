import { setTimeout as wait } from 'node:timers/promises';
import { CALLS, type CallDefinition } from '@forecourt/upstream/calls';
import { Shopper, signIn, signUp } from '@forecourt/harness/shopper';
import { call, type Entry, MARK, PAGE, send, type Site, unless } from './site.ts';

/** The answer once the budget of the network allows it: a refusal would prove nothing. */
async function patiently<T extends { readonly status: number }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 429) return answer;
    await wait(2_000);
  }
}

/** Attacks on sessions of signed-in visitors. */
export const SESSION_ATTACKS: readonly Entry[] = [
  [
    'Session',
    'a forged session cookie',
    async ({ shell }) =>
      unless(
        (await send(`${shell}/account`, { headers: { Cookie: 'account=Fe26.2*1*x; signedIn=true' } }))
          .status === 303,
        { status: 200, text: '' },
      ),
  ],
  [
    'Session',
    'login CSRF: the callback of another browser',
    async ({ shell }) =>
      unless((await send(`${shell}/account/callback?code=x&state=y`)).status === 400, {
        status: 200,
        text: '',
      }),
  ],
  [
    'Session',
    'a bookmark of another account',
    async ({ shell, ada, eve }) => {
      const body = {
        bookmarkId: '',
        bookmarkTitle: 'Mine',
        searchName: 'Mine',
        lastExecuted: '',
        searchResultsURL: '%7B%7D',
      };
      const { text } = await ada.send(shell + call('saveSearch'), { json: body });
      const id = /"bookmarkId":"([\w-]+)"/.exec(text)?.[1] ?? '';
      await eve.send(shell + call('renameBookmark', `bookmarkId=${id}`), { json: { bookmarkTitle: MARK } });
      await eve.send(shell + call('deleteBookmark', `bookmarkId=${id}`), { json: {} });
      const kept = (await ada.send(shell + call('bookmarks'))).text;
      return kept.includes('Mine') && !kept.includes(MARK)
        ? undefined
        : `changed: ${text.slice(0, 60)} ${kept.slice(0, 60)}`;
    },
  ],
  [
    'Session',
    'fixation: the owner signs in with cookies that an attacker planted',
    async ({ shell, identity }) => {
      const email = `fixed.${Date.now()}@example.com`;
      await signUp(shell, identity, email);
      const attacker = new Shopper();
      await attacker.open(`${shell}/account/sign-in?refUrl=%2Faccount`);
      const owner = await signIn(shell, email, attacker.copy());
      if (!(await owner.send(`${shell}/account`)).text.includes('Hello')) return 'the owner is not signed in';
      const { text } = await attacker.open(`${shell}/account/sign-in?refUrl=%2Faccount`);
      return text.includes('Hello') ? 'signed in as the owner' : undefined;
    },
  ],
  [
    'Session',
    'a stolen session, two seconds after its owner signed out',
    async ({ shell, identity }) => {
      const owner = await signUp(shell, identity);
      const thief = owner.copy();
      if (!(await thief.send(`${shell}/account`)).text.includes('Hello')) return 'the copy never worked';
      await owner.open(`${shell}/account/sign-out`, { form: {} });
      await wait(2000);
      return (await thief.send(`${shell}/account`)).text.includes('Hello') ? 'still signed in' : undefined;
    },
  ],
];

/** Names of ids in calls, each of which gets the id of somebody else. */
const ID_PARAMS = [
  'bookmarkId',
  'searchBookmarkId',
  'alertId',
  'listingId',
  'id',
  'account',
  'ownerId',
  'token',
  'consumerId',
];
/** Shows one saved search to anyone with its link, on purpose (A7-BOOK-04). */
const SHARED = 'sharedBookmark';

/** What the account has stored, as it reads it. */
async function storedBy({ shell, ada }: Site): Promise<string> {
  const parts = [];
  for (const name of ['bookmarks', 'savedListings', 'emailAlerts'])
    parts.push((await patiently(() => ada.send(shell + call(name, '')))).text);
  return parts.join('\n');
}

const TITLE = 'Only Ada knows this title';

const IDOR: Entry = [
  'IDOR',
  `every id of an account in each of ${Object.keys(CALLS).length} calls, by another account and by a visitor`,
  async (site) => {
    const { shell, ada, eve, listing } = site;
    const saved = await patiently(() =>
      ada.send(shell + call('saveSearch', ''), {
        json: {
          bookmarkId: '',
          bookmarkTitle: TITLE,
          searchName: TITLE,
          lastExecuted: '2026/01/01 10:00:00',
          searchResultsURL: '%7B%7D',
        },
      }),
    );
    const bookmarkId = /"bookmarkId":"([\w-]+)"/.exec(saved.text)?.[1];
    await patiently(() =>
      ada.send(shell + call('saveListing', `listingId=${listing}`), { json: { listingId: listing } }),
    );
    const alerts = (await ada.send(shell + call('emailAlerts', ''))).text;
    const ids = [bookmarkId, /"alertId":"([\w-]+)"/.exec(alerts)?.[1], listing].filter(
      (id) => id !== undefined,
    );
    const before = await storedBy(site);
    if (!before.includes(TITLE)) return `nothing was stored: ${saved.text.slice(0, 80)}`;
    const stranger = new (eve.constructor as new () => typeof eve)();
    for (const [name, definition] of Object.entries<CallDefinition>(CALLS))
      for (const id of ids) {
        const params = ID_PARAMS.map((param) => `${param}=${id}`).join('&');
        const request =
          definition.method === undefined || definition.method === 'GET'
            ? {}
            : { json: { bookmarkTitle: 'Eve', listingId: id, bookmarkId: id } };
        for (const visitor of [eve, stranger]) {
          const { text } = await patiently(() => visitor.send(shell + call(name, params), request));
          if (name !== SHARED && text.includes(TITLE)) return `${name} shows it`;
        }
      }
    return (await storedBy(site)) === before ? undefined : 'what the account stored has changed';
  },
];

const ENCODINGS = ['br', 'gzip', 'zstd', 'identity', 'br;q=0.1, gzip', '*'];
const AGENTS = ['Mozilla/5.0 Firefox/130', 'Googlebot/2.1', 'curl/8'];
const VARIED = 40;

const CACHED: Entry = [
  'Cache',
  `${VARIED} pages of a signed-in visitor, with varied headers, each followed by the same page without an account`,
  async ({ shell, ada }) => {
    for (let n = 0; n < VARIED; n += 1) {
      const url = `${shell}${PAGE}${n % 4 === 0 ? '' : `?page=${n % 4}`}`;
      const headers = {
        'User-Agent': AGENTS[n % AGENTS.length]!,
        'Accept-Encoding': 'identity',
        'Accept-Language': n % 2 ? 'en-US' : 'de',
        ...(n % 3 === 0 && { 'If-None-Match': '*' }),
        ...(n % 5 === 0 && { Range: 'bytes=0-100' }),
      };
      const own = await patiently(() => ada.send(url));
      if (!own.text.includes('Ada') && own.status === 200) return 'the account’s own page lacks its name';
      const { text } = await patiently(() => send(url, { headers }));
      const coded = await fetch(url, {
        headers: { ...headers, 'Accept-Encoding': ENCODINGS[n % ENCODINGS.length]! },
      });
      if (/Ada/.test(text) || /Ada/.test(await coded.text())) return `an account’s name in ${url}`;
    }
    return undefined;
  },
];

/** What one visitor can read or change of another. */
export const IDENTITY_ATTACKS: readonly Entry[] = [IDOR, CACHED];
