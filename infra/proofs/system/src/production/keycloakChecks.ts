import { Shopper } from '../faults/shopper.ts';
import { countOf, equal, type Finding, metricsOf, type ProofContext, required, until } from '../proof.ts';
import { hasSaved, isSignedIn } from './accountChecks.ts';
import { KEYCLOAK } from './hosts.data.ts';
import { askApi } from './issuerChecks.ts';
import { startKeycloak } from './keycloak.ts';
import { CLIENT, OTHER_SITE, type Site } from './services.ts';

const REALM = 'site';
/** Keycloak needs longer on a busy machine than the 400 ms that a shell waits; then it asks again after 1.5 s. */
const NOTICE_MS = 15_000;
const ISSUER = `${KEYCLOAK}/realms/${REALM}`;
const ADA = { username: 'ada', password: 'four words about cars' };

const USER = {
  username: ADA.username,
  email: 'ada@people.example',
  emailVerified: true,
  firstName: 'Ada',
  lastName: 'Byron',
  enabled: true,
  credentials: [{ type: 'password', value: ADA.password, temporary: false }],
};

/** The realm as an operator of a site sets it up. */
const REALM_SETTINGS = {
  realm: REALM,
  enabled: true,
  clients: [
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

/** Signs in with the form of Keycloak. */
async function signIn(shopper: Shopper): Promise<void> {
  const form = await shopper.open(`${OTHER_SITE}/account/sign-in?refUrl=%2Faccount`);
  const action = /action="([^"]+)"/.exec(form.text)?.[1]?.replaceAll('&amp;', '&');
  if (!action?.startsWith(ISSUER)) throw new Error(`sign-in stopped at ${form.url} with ${form.status}`);
  const account = await shopper.open(action, { form: ADA });
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

/** Accounts of a real Keycloak, whose realm has a path and a port. */
export async function checkKeycloak(
  main: Site,
  place: Parameters<typeof startKeycloak>[0],
  listing: string,
  context: Pick<ProofContext, 'onEnd'>,
): Promise<Finding[]> {
  const { administer } = await startKeycloak(place, context);
  await administer('POST', '', REALM_SETTINGS);
  // Not with the realm: accounts of an import have no roles, and so no offline tokens.
  await administer('POST', `/${REALM}/users`, USER);
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
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
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
    await administer('POST', `/${REALM}/users/${id}/logout`);
    findings.push(await endOf(shopper, 'an administrator signed the account out'));
    return findings;
  } finally {
    await other.end();
  }
}
