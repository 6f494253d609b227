import { setTimeout as wait } from 'node:timers/promises';
import { Shopper } from '@forecourt/harness/shopper';
import { equal, type Finding } from '../proof.ts';
import { hasSaved, isSignedIn, NOTICE_SECONDS } from './accountChecks.ts';
import { ISSUER } from './hosts.data.ts';
import { checkLostPhotos } from './bucketChecks.ts';
import { checkMail } from './mailChecks.ts';
import type { Store } from './objectStores.ts';
import { signBy } from './releaseChecks.ts';
import { CLIENT, type OtherSite, type Site } from './services.ts';
import type { Internet } from './startInternet.ts';

const LOGOUT = { 'http://schemas.openid.net/event/backchannel-logout': {} };

/** How the API answers to an id token. */
export const askApi = async ({ api }: OtherSite, token: string): Promise<number> =>
  (await fetch(`${api}/account-api/saved-listings`, { headers: { 'x-id-token': token } })).status;

/** How the shell answers to a logout token. */
const logOut = async ({ site }: OtherSite, token: string): Promise<number> =>
  (
    await fetch(`${site}/account/back-channel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    })
  ).status;

/** Accounts of an issuer with a path, a port and a slash at its end. `bucket`: an empty one for the photos of that site. */
export async function checkIssuer(
  main: Site,
  internet: Internet,
  { listing, bucket }: { listing: string; bucket: Store | undefined },
): Promise<Finding[]> {
  const other = await main.startOther(ISSUER, bucket?.environment);
  try {
    const { site } = other;
    const shopper = new Shopper();
    await shopper.open(`${site}/account/sign-in?refUrl=%2Faccount`);
    const signedIn = await isSignedIn(shopper, site);
    await shopper.write(site, 'saveListing', { listingId: listing });
    const saved = await hasSaved(shopper, site, listing);
    const idToken = { aud: CLIENT.id, name: 'Ada Byron' };
    const sign = (claims: object) => signBy(ISSUER, claims);
    const almost = ISSUER.replace(/\/$/, '');
    const logout = { aud: CLIENT.id, events: LOGOUT };
    return [
      equal('Issuer with path, port and slash: signed in', signedIn, 'yes'),
      equal('Issuer with path, port and slash: its account saves a vehicle', saved, 'yes'),
      equal('API: an id token of the issuer', await askApi(other, await sign(idToken)), 200),
      equal(
        'API: the issuer without its slash',
        await askApi(other, await sign({ ...idToken, iss: almost })),
        401,
      ),
      equal(
        'API: an id token for another site',
        await askApi(other, await sign({ ...idToken, aud: 'x' })),
        401,
      ),
      equal(
        'Logout token: of the issuer without its slash',
        await logOut(other, await sign({ ...logout, jti: 'a', iss: almost })),
        400,
      ),
      equal('Logout token: an id token', await logOut(other, await sign({ ...idToken, jti: 'b' })), 400),
      equal('Signed in after these', await isSignedIn(shopper, site), 'yes'),
      ...(await checkMail(other, internet)),
      ...(bucket ? await checkLostPhotos(other, listing, bucket) : []),
      equal('Logout token: accepted', await logOut(other, await sign({ ...logout, jti: 'c' })), 200),
      equal('Logout token: again', await logOut(other, await sign({ ...logout, jti: 'c' })), 400),
      equal(
        `Signed in ${NOTICE_SECONDS} s after the issuer ended the session`,
        await wait(NOTICE_SECONDS * 1_000).then(() => isSignedIn(shopper, site)),
        'no',
      ),
    ];
  } finally {
    await other.end();
  }
}
