import { createCleanup } from '@forecourt/harness/cleanup';
import { equal, type Finding, type ProofContext, reported, until } from '../proof.ts';
import { checkAccounts, checkLocalMode, signUpByMail } from './accountChecks.ts';
import { checkBuckets, checkPhotosIn } from './bucketChecks.ts';
import { checkDealer, dealersListing } from './dealerChecks.ts';
import type { EximFile } from './exim.ts';
import { INTERNAL } from './hosts.data.ts';
import { checkIssuer } from './issuerChecks.ts';
import { checkKeycloak } from './keycloakChecks.ts';
import type { KeycloakFolder } from './keycloak.ts';
import { startStores, type StoreFiles, type Stores } from './objectStores.ts';
import { checkPush } from './pushChecks.ts';
import { checkRelease } from './releaseChecks.ts';
import { SITE, type Site, startProductionSite } from './services.ts';
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

/** What the site's process is started with. */
export interface SiteParts {
  /** That of the Internet. */
  readonly namespace: string;
  readonly tlsFolder: string;
  readonly exim: EximFile;
  readonly keycloak: KeycloakFolder;
  readonly stores: StoreFiles;
  /** Without the second site. */
  readonly isShort: boolean;
}

interface World {
  readonly internet: Internet;
  readonly site: Site;
  /** Where Java and Maven are. */
  readonly stores: Stores | undefined;
  /** Id of the vehicle in the dealer's feed. */
  readonly listing: string;
}

/** The site with its own issuer. */
async function checkSite(
  { internet, site, stores, listing }: World,
  { say }: ProofContext,
): Promise<Finding[]> {
  say('accounts');
  const shopper = await signUpByMail(internet);
  await shopper.write(SITE, 'saveListing', { listingId: listing });
  say('the feed and its photos');
  const findings = [
    ...(await checkDealer(site, internet, listing)),
    ...(stores ? await checkPhotosIn(stores.s3Proxy) : []),
  ];
  say('push');
  findings.push(...(await checkPush(site, internet, shopper)));
  findings.push(...(await checkAccounts(internet, shopper, listing)));
  findings.push(...(await checkLocalMode(site)));
  say('a release');
  return [...findings, ...(await checkRelease(site))];
}

/** Registries with buckets, and a second site, for accounts of other issuers. */
async function checkOthers(
  { internet, site, stores, listing }: World,
  { namespace, tlsFolder, keycloak, ...parts }: SiteParts,
  context: ProofContext,
): Promise<Finding[]> {
  const { say } = context;
  say('buckets');
  const findings = stores ? await checkBuckets(site, stores) : [];
  if ('missing' in parts.stores) findings.push(reported('Buckets', `skipped: ${parts.stores.missing}`));
  say('another issuer');
  findings.push(...(await checkIssuer(site, internet, { listing, bucket: stores?.s3Mock })));
  if ('missing' in keycloak) return [...findings, reported('Keycloak', `skipped: ${keycloak.missing}`)];
  say('Keycloak');
  const place = { namespace, tlsFolder, folder: keycloak.folder };
  return [...findings, ...(await checkKeycloak(site, place, listing, context))];
}

async function check(parts: SiteParts, context: ProofContext): Promise<Finding[]> {
  const { namespace, tlsFolder, exim } = parts;
  const internet = await startInternet(
    { namespace, tlsFolder, exim: 'file' in exim ? exim.file : '' },
    context,
  );
  const reachable = await countReachable(internet);
  context.say('starting the services');
  const stores =
    'missing' in parts.stores
      ? undefined
      : await startStores({ namespace, tlsFolder, mock: parts.stores.mock }, context);
  const site = await startProductionSite({ tlsFolder, photos: stores?.s3Proxy.environment ?? {} }, context);
  const world = { internet, site, stores, listing: await dealersListing(site) };
  const findings = [
    equal('Internal servers that answer a request without policy', reachable, Object.keys(INTERNAL).length),
    reported('Mail: the provider', 'file' in exim ? 'Debian’s Exim' : `a stand-in: ${exim.missing}`),
    ...(await checkSite(world, context)),
    ...(parts.isShort ? [] : await checkOthers(world, parts, context)),
  ];
  const internal = internet.internal().slice(reachable);
  return [...findings, equal('Connections to internal servers', internal.join() || 'none', 'none')];
}

const [parts = ''] = process.argv.slice(2);
const tell = (message: SiteMessage) =>
  new Promise<void>((resolve) => process.send?.(message, () => resolve()));
const cleanup = createCleanup();
const onDisconnect = () => process.kill(process.pid, 'SIGTERM');
process.once('disconnect', onDisconnect);
try {
  const context = { onEnd: cleanup.add, say: (say: string) => void tell({ say }), isLong: false };
  await tell({ findings: await check(JSON.parse(parts) as SiteParts, context) });
} catch (error) {
  await tell({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
} finally {
  await cleanup.run();
  process.off('disconnect', onDisconnect);
  process.disconnect?.();
}
