import { createCleanup } from '@forecourt/harness/cleanup';
import { equal, type Finding, type ProofContext, reported, until } from '../proof.ts';
import { checkAccounts, checkLocalMode, signUpByMail } from './accountChecks.ts';
import { checkDealer, dealersListing } from './dealerChecks.ts';
import { INTERNAL } from './hosts.data.ts';
import { checkIssuer } from './issuerChecks.ts';
import { checkKeycloak } from './keycloakChecks.ts';
import type { KeycloakFolder } from './keycloak.ts';
import { checkPush } from './pushChecks.ts';
import { checkRelease } from './releaseChecks.ts';
import { SITE, startProductionSite } from './services.ts';
import { type Internet, startInternet } from './startInternet.ts';

/** What the site's process tells the proof. */
export type SiteMessage =
  | { readonly say: string }
  | { readonly findings: readonly Finding[] }
  | { readonly error: string };

const urlOf = (address: string): string => `http://${address.includes(':') ? `[${address}]` : address}/`;

/** That a request without an egress policy would reach the servers which must not be reached. */
async function countReachable(internet: Internet): Promise<number> {
  const addresses = Object.values(INTERNAL);
  for (const address of addresses) await (await fetch(urlOf(address))).text();
  // The response may arrive before the message of the other process.
  await until('the internal servers tell of it', () => internet.internal().length >= addresses.length);
  return internet.internal().length;
}

/** `keycloak`: its folder, or why there is none. */
async function check(
  { namespace, tlsFolder, keycloak }: { namespace: string; tlsFolder: string; keycloak: KeycloakFolder },
  context: ProofContext,
): Promise<Finding[]> {
  const { say } = context;
  const internet = await startInternet(namespace, tlsFolder, context);
  const reachable = await countReachable(internet);
  say('starting the services');
  const site = await startProductionSite(tlsFolder, context);
  const findings: Finding[] = [
    equal('Internal servers that answer a request without policy', reachable, Object.keys(INTERNAL).length),
  ];
  say('accounts');
  const listing = await dealersListing(site);
  const shopper = await signUpByMail(internet);
  await shopper.write(SITE, 'saveListing', { listingId: listing });
  say('the feed and its photos');
  findings.push(...(await checkDealer(site, internet, listing)));
  say('push');
  findings.push(...(await checkPush(site, internet, shopper)));
  findings.push(...(await checkAccounts(internet, shopper, listing)));
  findings.push(...(await checkLocalMode(site)));
  say('a release');
  findings.push(...(await checkRelease(site)));
  say('another issuer');
  findings.push(...(await checkIssuer(site, internet, listing)));
  if ('missing' in keycloak) findings.push(reported('Keycloak', `skipped: ${keycloak.missing}`));
  else {
    say('Keycloak');
    findings.push(
      ...(await checkKeycloak(site, { namespace, tlsFolder, folder: keycloak.folder }, listing, context)),
    );
  }
  const internal = internet.internal().slice(reachable);
  findings.push(equal('Connections to internal servers', internal.join() || 'none', 'none'));
  return findings;
}

const [namespace = '', tlsFolder = '', keycloak = ''] = process.argv.slice(2);
const tell = (message: SiteMessage) =>
  new Promise<void>((resolve) => process.send?.(message, () => resolve()));
const cleanup = createCleanup();
const onDisconnect = () => process.kill(process.pid, 'SIGTERM');
process.once('disconnect', onDisconnect);
try {
  const parts = { namespace, tlsFolder, keycloak: JSON.parse(keycloak) as KeycloakFolder };
  const context = { onEnd: cleanup.add, say: (say: string) => void tell({ say }), isLong: false };
  await tell({ findings: await check(parts, context) });
} catch (error) {
  await tell({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
} finally {
  await cleanup.run();
  process.off('disconnect', onDisconnect);
  process.disconnect?.();
}
