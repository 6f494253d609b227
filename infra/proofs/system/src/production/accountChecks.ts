import { setTimeout as wait } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { type Shopper, signIn, signUp } from '@forecourt/harness/shopper';
import { until, equal, type Finding, required } from '../proof.ts';
import type { Internet } from './startInternet.ts';
import { ISSUER_OF_SITE, SITE, type Site } from './services.ts';

const EMAIL = 'ada.production@example.com';
/** s that a shell may take to notice that a session ended elsewhere. */
export const NOTICE_SECONDS = 2;

const statusOf = async (url: string): Promise<number> => (await fetch(url, { redirect: 'manual' })).status;

/** Whether the saved vehicles of this browser include the listing. */
export const hasSaved = async (shopper: Shopper, site: string, listing: string): Promise<string> =>
  (await shopper.open(`${site}/account/saved-vehicles`)).text.includes(listing) ? 'yes' : 'no';

export const isSignedIn = async (shopper: Shopper, site: string): Promise<string> =>
  (await shopper.send(`${site}/account`)).status === 200 ? 'yes' : 'no';

export const signUpByMail = (internet: Internet): Promise<Shopper> =>
  signUp(SITE, ISSUER_OF_SITE, EMAIL, async () => {
    await until('the confirmation arrives', () => internet.emails().length > 0);
    return (await PostalMime.parse(internet.emails().at(-1)!.source)).text ?? '';
  });

/** The life of an account: sign-up by email, a saved vehicle, sign-out, and sign-in with the password. */
export async function checkAccounts(
  internet: Internet,
  shopper: Shopper,
  listing: string,
): Promise<Finding[]> {
  const saved = await hasSaved(shopper, SITE, listing);
  const cookies = shopper.cookieNames(SITE);
  const isHostCookie = cookies.some((name) => name.startsWith('__Host-account'));
  const stolen = shopper.copy();
  await shopper.open(`${SITE}/account/sign-out`, { form: {} });
  await wait(NOTICE_SECONDS * 1000);
  const again = await signIn(SITE, EMAIL);
  const confirmations = await Promise.all(internet.emails().map(({ source }) => PostalMime.parse(source)));
  return [
    equal(
      'Mail: confirmations to the address',
      confirmations.filter(({ to }) => to?.some(({ address }) => address === EMAIL)).length,
      1,
    ),
    equal('Mail: sent without TLS', internet.emails().filter(({ isTls }) => !isTls).length, 0),
    required('Session cookie', cookies.join(', '), '__Host-account', isHostCookie),
    equal('The saved vehicle is listed', saved, 'yes'),
    equal('Signed in after sign-out', await isSignedIn(shopper, SITE), 'no'),
    equal(
      `A copy of the session, ${NOTICE_SECONDS} s after sign-out: signed in`,
      await isSignedIn(stolen, SITE),
      'no',
    ),
    equal('The saved vehicle after a sign-in with the password', await hasSaved(again, SITE, listing), 'yes'),
  ];
}

/** What local mode alone has. */
export async function checkLocalMode({ stack }: Site): Promise<Finding[]> {
  const { identity, 'marketplace-api': api, 'remote-registry': registry } = stack.urls;
  const local = [
    `${ISSUER_OF_SITE}/outbox`,
    `${identity}/outbox`,
    `${api}/outbox`,
    `${api}/__faults`,
    `${SITE}/metrics`,
  ];
  const statuses = await Promise.all(local.map(statusOf));
  const written = await fetch(`${registry}/api/remotes/mfe-leads/rollback`, { method: 'POST' });
  return [
    equal('Outboxes, fault switches and metrics', [...new Set(statuses)].join(), '404'),
    equal('A rollback without a token', written.status, 401),
  ];
}
