import { setTimeout as wait } from 'node:timers/promises';
import { Shopper, type Visit } from '@forecourt/harness/shopper';
import { countOf, equal, type Finding, metricsOf, type ProofContext, required, until } from '../proof.ts';
import { hasSaved, isSignedIn } from './accountChecks.ts';
import { KEYCLOAK } from './hosts.data.ts';
import { askApi } from './issuerChecks.ts';
import { type Keycloak, startKeycloak } from './keycloak.ts';
import { checkRoom, PEOPLE, ROOM_CLIENT, ROOM_GROUPS } from './roomChecks.ts';
import { CLIENT, OTHER_SITE, type OtherSite, type Site } from './services.ts';

const REALM = 'site';
/** Keycloak needs longer on a busy machine than the 400 ms that a shell waits; then it asks again after 1.5 s. */
const NOTICE_MS = 15_000;
/** s in which services notice a new key of the realm, and one that it has removed. */
const NEW_KEY_SECONDS = 5;
const REMOVED_KEY_SECONDS = 65;
const ISSUER = `${KEYCLOAK}/realms/${REALM}`;
const ADA = { username: 'ada', password: 'four words about cars' };

/** Everybody has one password. */
const toUser = (person: { readonly username: string; readonly email: string }) => ({
  firstName: 'Ada',
  lastName: 'Byron',
  enabled: true,
  credentials: [{ type: 'password', value: ADA.password, temporary: false }],
  ...person,
});
const USERS = [
  { username: ADA.username, email: 'ada@people.example', emailVerified: true },
  ...Object.values(PEOPLE),
].map(toUser);

/** The realm as an operator of a site sets it up. */
const REALM_SETTINGS = {
  realm: REALM,
  enabled: true,
  groups: ROOM_GROUPS,
  clients: [
    ROOM_CLIENT,
    {
      clientId: CLIENT.id,
      secret: CLIENT.secret,
      directAccessGrantsEnabled: true,
      redirectUris: [`${OTHER_SITE}/account/callback`],
      attributes: {
        'backchannel.logout.url': `${OTHER_SITE}/account/back-channel-logout`,
        'backchannel.logout.session.required': 'true',
        'post.logout.redirect.uris': `${OTHER_SITE}/account/signed-out`,
      },
    },
  ],
};

/** Signs in with the form of Keycloak, to which `url` leads. */
async function signInFrom(shopper: Shopper, url: string, username: string): Promise<Visit> {
  const form = await shopper.open(url);
  const action = /action="([^"]+)"/.exec(form.text)?.[1]?.replaceAll('&amp;', '&');
  if (!action?.startsWith(ISSUER)) throw new Error(`sign-in stopped at ${form.url} with ${form.status}`);
  return shopper.open(action, { form: { ...ADA, username } });
}

/** Signs Ada in to the site. */
async function signIn(shopper: Shopper): Promise<void> {
  const account = await signInFrom(shopper, `${OTHER_SITE}/account/sign-in?refUrl=%2Faccount`, ADA.username);
  if (account.status !== 200 || !account.url.startsWith(OTHER_SITE))
    throw new Error(`sign-in ended at ${account.url} with ${account.status}`);
}

type Named = [{ readonly id: string }];

/** Tokens of Ada that no browser has. */
async function tokensOfAda(): Promise<{ readonly id_token: string; readonly access_token: string }> {
  const body = new URLSearchParams({
    ...ADA,
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
    grant_type: 'password',
    scope: 'openid',
  });
  const response = await fetch(`${ISSUER}/protocol/openid-connect/token`, { method: 'POST', body });
  return (await response.json()) as { id_token: string; access_token: string };
}

/** Logout tokens that the shell has accepted. */
const acceptedLogouts = async (shell: string): Promise<number> =>
  countOf(await metricsOf(shell), 'forecourt_logout_tokens_total', 'outcome="OK"');

const KEY_PROVIDER = 'org.keycloak.keys.KeyProvider';

/** Makes another key the one that signs; returns how to remove those before it. */
async function rotateKeys({ administer }: Keycloak): Promise<() => Promise<void>> {
  const { id: parentId } = (await administer('GET', `/${REALM}`)) as { id: string };
  type Providers = readonly { id: string; providerId: string; name: string }[];
  const providers = (await administer('GET', `/${REALM}/components?type=${KEY_PROVIDER}`)) as Providers;
  const old = providers.filter(({ providerId }) => providerId === 'rsa-generated');
  if (old.length === 0) throw new Error('the realm has no generated RSA key');
  await administer('POST', `/${REALM}/components`, {
    name: 'rsa-next',
    providerId: 'rsa-generated',
    providerType: KEY_PROVIDER,
    parentId,
    config: { priority: ['1000'], enabled: ['true'], active: ['true'], algorithm: ['RS256'] },
  });
  return async () => {
    for (const { id } of old) await administer('DELETE', `/${REALM}/components/${id}`);
  };
}

/** Name of the key that signed a token. */
const keyOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;

const secondsSince = (started: number): string => ((performance.now() - started) / 1_000).toFixed(1);

/**
 * The realm gets a new key while sessions last, and loses the old one. `meanwhile` runs before the API has to notice the
 * latter.
 */
async function checkRotation(
  keycloak: Keycloak,
  other: OtherSite,
  listing: string,
  meanwhile: () => Promise<Finding[]>,
): Promise<Finding[]> {
  const { site } = other;
  const before = new Shopper();
  await signIn(before);
  const { id_token: oldToken } = await tokensOfAda();
  const findings = [
    equal('Keycloak, before its keys rotate: an id token at the API', await askApi(other, oldToken), 200),
  ];
  const removeOldKeys = await rotateKeys(keycloak);
  const { id_token: newToken } = await tokensOfAda();
  if (keyOf(oldToken) === keyOf(newToken)) throw new Error('the keys did not rotate');
  const rotatedAt = performance.now();
  await until('the API knows the new key', async () => (await askApi(other, newToken)) === 200, {
    limitMs: NOTICE_MS,
    everyMs: 100,
  });
  const seconds = secondsSince(rotatedAt);
  const after = new Shopper();
  await signIn(after);
  findings.push(
    required(
      'Keycloak, rotated: s until an id token of the new key is accepted',
      seconds,
      `≤ ${NEW_KEY_SECONDS}`,
      Number(seconds) <= NEW_KEY_SECONDS,
    ),
    equal('Keycloak, rotated: an id token of the old key at the API', await askApi(other, oldToken), 200),
    equal('Keycloak, rotated: signed in', await isSignedIn(after, site), 'yes'),
    equal('Keycloak, rotated: its saved vehicles', await hasSaved(after, site, listing), 'yes'),
    equal('Keycloak, rotated: the session from before', await isSignedIn(before, site), 'yes'),
    equal(
      'Keycloak, rotated: the saved vehicles of that session',
      await hasSaved(before, site, listing),
      'yes',
    ),
  );
  await removeOldKeys();
  const removedAt = performance.now();
  findings.push(...(await meanwhile()));
  await until('the API refuses the removed key', async () => (await askApi(other, oldToken)) === 401, {
    limitMs: (REMOVED_KEY_SECONDS + 5) * 1_000,
    everyMs: 1_000,
  });
  const refusedAfter = secondsSince(removedAt);
  findings.push(
    required(
      'Keycloak, old key removed: s until its id tokens are refused',
      refusedAfter,
      `≤ ${REMOVED_KEY_SECONDS}`,
      Number(refusedAfter) <= REMOVED_KEY_SECONDS,
    ),
    equal('Keycloak, old key removed: an id token of the new key', await askApi(other, newToken), 200),
    equal('Keycloak, old key removed: signed in', await isSignedIn(after, site), 'yes'),
    equal('Keycloak, old key removed: saved vehicles', await hasSaved(after, site, listing), 'yes'),
  );
  return findings;
}

/** Accounts of a real Keycloak, whose realm has a path and a port. */
export async function checkKeycloak(
  main: Site,
  place: Parameters<typeof startKeycloak>[0],
  listing: string,
  context: Pick<ProofContext, 'onEnd'>,
): Promise<Finding[]> {
  const keycloak = await startKeycloak(place, context);
  const { administer } = keycloak;
  await administer('POST', '', REALM_SETTINGS);
  // Not with the realm: accounts of an import have no roles, and so no offline tokens.
  for (const user of USERS) await administer('POST', `/${REALM}/users`, user);
  const other = await main.startOther(ISSUER);
  try {
    const { site } = other;
    const tokens = await tokensOfAda();
    // Its first responses take it longer than a shell waits.
    const isOpen = async () => (await new Shopper().send(`${site}/account/sign-in`)).status < 500;
    await until('sign-in is open', isOpen, { limitMs: 60_000, everyMs: 1_500 });
    const shopper = new Shopper();
    await signIn(shopper);
    const signedIn = await isSignedIn(shopper, site);
    await shopper.write(site, 'saveListing', { listingId: listing });
    const findings = [
      equal('Keycloak: signed in', signedIn, 'yes'),
      equal('Keycloak: its account saves a vehicle', await hasSaved(shopper, site, listing), 'yes'),
      equal('Keycloak: its id token at the API', await askApi(other, tokens.id_token), 200),
      equal(
        'Keycloak: its access token, which is for others, at the API',
        await askApi(other, tokens.access_token),
        401,
      ),
    ];
    /** s until the shell refuses the session. */
    const endOf = async (session: Shopper, what: string): Promise<Finding> => {
      const started = performance.now();
      const isOver = async () => (await isSignedIn(session, site)) === 'no';
      await until(`the session is over after ${what}`, isOver, { limitMs: NOTICE_MS, everyMs: 250 });
      const seconds = secondsSince(started);
      return required(
        `Keycloak: s until the session is over after ${what}`,
        seconds,
        `≤ ${NOTICE_MS / 1_000}`,
        true,
      );
    };
    const stolen = shopper.copy();
    await shopper.open(`${site}/account/sign-out`, { form: {} });
    findings.push(await endOf(stolen, 'sign-out in another browser'));
    // Its own session is over as well: the form is there again.
    await signIn(shopper);
    findings.push(
      equal('Keycloak: signed in again, with the password', await isSignedIn(shopper, site), 'yes'),
    );
    const [{ id }] = (await administer('GET', `/${REALM}/users?username=${ADA.username}`)) as Named;
    const [client] = (await administer('GET', `/${REALM}/clients?clientId=${CLIENT.id}`)) as Named;
    const before = await acceptedLogouts(other.shell);
    // Shells ask for offline tokens.
    const sessions = (await administer(
      'GET',
      `/${REALM}/users/${id}/offline-sessions/${client.id}`,
    )) as Named;
    for (const one of sessions) await administer('DELETE', `/${REALM}/sessions/${one.id}?isOffline=true`);
    findings.push(
      equal(
        'Keycloak: its logout tokens that the shell accepted',
        (await acceptedLogouts(other.shell)) - before,
        sessions.length,
      ),
      await endOf(shopper, 'the logout token'),
    );
    await signIn(shopper);
    // Keycloak ends offline tokens from before the second in which this happens.
    await wait(1_500);
    await administer('POST', `/${REALM}/users/${id}/logout`);
    findings.push(await endOf(shopper, 'an administrator signed the account out'));
    const signInToRoom = async (person: Shopper, url: string, username: string) =>
      (await signInFrom(person, url, username)).url;
    findings.push(
      ...(await checkRotation(keycloak, other, listing, () => checkRoom(main, ISSUER, signInToRoom))),
    );
    return findings;
  } finally {
    await other.end();
  }
}
