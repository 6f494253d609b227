import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '@forecourt/harness/photoFeed';
import { fixtureDist, readManifest } from '@forecourt/harness/releases';
import { publishRelease, RegistryCallError } from '@forecourt/release-kit/registryClient';
import { equal, type Finding, required, until } from '../proof.ts';
import { photosInPage } from './dealerChecks.ts';
import { GOOD_PHOTOS } from './dealerFeed.ts';
import type { Store, Stores } from './objectStores.ts';
import { type OtherSite, SECRET, type Site } from './services.ts';

const RELEASE = fixtureDist('good');
/** ms in which all photos are fetched on a busy machine. */
const LIMIT_MS = 90_000;

/** Publishes a release; 'done', or the code of the refusal. */
async function publish(registryUrl: string): Promise<string> {
  try {
    await publishRelease({ registryUrl, token: SECRET, directory: RELEASE, hasCommit: false });
    return 'done';
  } catch (error) {
    if (error instanceof RegistryCallError) return error.code;
    throw error;
  }
}

/** A registry whose releases' files are in the bucket. */
async function checkRegistry(site: Site, { name, environment, keysOf }: Store): Promise<Finding[]> {
  const { name: remote, version, files } = readManifest(RELEASE);
  const registry = await site.startRegistry(environment);
  try {
    const published = await publish(registry.url);
    const paths = Object.keys(files).filter((path) => path.startsWith('web/'));
    const differing: string[] = [];
    for (const path of paths) {
      const response = await fetch(`${registry.url}/remotes/${remote}/${version}/${path}`);
      const bytes = Buffer.from(await response.arrayBuffer());
      if (!bytes.equals(readFileSync(join(RELEASE, path)))) differing.push(path);
    }
    const keys = await keysOf('registry/');
    return [
      equal(`Bucket at ${name}: a release is published`, published, 'done'),
      equal(
        `Bucket at ${name}: files of it that differ when browsers ask for them`,
        differing.join() || 'none',
        'none',
      ),
      required(
        `Bucket at ${name}: objects of the release`,
        keys.length,
        `≥ ${Object.keys(files).length}`,
        keys.length >= Object.keys(files).length,
      ),
    ];
  } finally {
    await registry.end();
  }
}

/** That a registry doesn't start with a bucket, and says why. */
async function checkRefusal(
  site: Site,
  what: string,
  { environment, reason }: { readonly environment: Store['environment']; readonly reason: string },
): Promise<Finding> {
  const found = await site.startRegistry(environment).then(
    async (registry) => {
      await registry.end();
      return 'it starts';
    },
    (error: unknown) => String(error),
  );
  const isRefused = found.includes(reason);
  return required(`A registry with a bucket ${what}`, isRefused ? reason : found, reason, isRefused);
}

/** Releases in buckets of two servers, and in none that must not be used. */
export async function checkBuckets(site: Site, { s3Proxy, s3Mock, forged }: Stores): Promise<Finding[]> {
  const findings = [...(await checkRegistry(site, s3Proxy)), ...(await checkRegistry(site, s3Mock))];
  const wrongSecret = { ...s3Proxy.environment, AWS_SECRET_ACCESS_KEY: 'a-secret-of-others' };
  return [
    ...findings,
    await checkRefusal(site, 'at a server with a certificate of others', {
      environment: forged.environment,
      reason: 'altnames',
    }),
    await checkRefusal(site, 'whose key is of others', { environment: wrongSecret, reason: 'Forbidden' }),
  ];
}

/** Number of photos, each of which has several objects. */
const countPhotos = async ({ keysOf }: Store): Promise<number> =>
  new Set((await keysOf('photos/')).map((key) => /[0-9a-f]{32}/.exec(key)?.[0])).size;

/** Photos of the feed, which the site's API has stored. */
export async function checkPhotosIn(store: Store): Promise<Finding[]> {
  return [equal(`Photos in the bucket at ${store.name}`, await countPhotos(store), GOOD_PHOTOS.length)];
}

/** An API with the inventory of the site, whose own bucket is empty, fetches its photos again. */
export async function checkLostPhotos(
  { site, dataDir }: OtherSite,
  listing: string,
  store: Store,
): Promise<Finding[]> {
  const count = GOOD_PHOTOS.length;
  const found = await runTool(dataDir, store.environment, 'src/photos.ts', 'check');
  const areBack = async () => (await countPhotos(store)) === count;
  await until('lost photos are there again', areBack, { limitMs: LIMIT_MS, everyMs: 250 });
  const shown = new Set(await photosInPage(site, listing));
  return [
    equal(
      `Photos that the bucket at ${store.name} has lost`,
      found.trim(),
      `${count} photos checked, ${count} will be fetched again`,
    ),
    equal('Photos in the page of the vehicle after that', [...shown].join(), '200 image/avif'),
  ];
}
