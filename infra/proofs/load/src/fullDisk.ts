import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOwnStack } from '@forecourt/e2e/ownStack';
import { fixtureDist, promote, readManifest, releasesOf } from '@forecourt/e2e/releases';
import { RegistryCallError } from '@forecourt/cli/client';
import { removeDataDir } from '@forecourt/local';
import { startVisitors, type Visits } from '@forecourt/e2e/visitors';
import { startRegistry } from './ownRegistry.ts';
import { PAGE, slotHtml, visitPageAndFile, wholePage } from './pages.ts';
import { type Finding, listed, type Proof, type ProofContext, required, told } from './proof.ts';
import { publishVariant, readPointers, write } from './registryCalls.ts';
import { startReplica } from './shellReplica.ts';
import { mountSmallDisk } from './smallDisk.ts';
import { until } from './until.ts';

const DISK_MB = 24;
const KIB = 1024;
/** Bytes left to a publish that needs some 20 KiB: it breaks off at another place each time. */
const LEFT = [0, 4, 8, 12, 16].map((kibibytes) => kibibytes * KIB);
const SECRET = 'full-disk-proof-secret-of-32-characters';

/** Starts a registry and a shell, each on a small disk of its own. */
async function startSite({ onEnd }: ProofContext) {
  const stack = await startOwnStack();
  onEnd(stack.remove);
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-disk-'));
  onEnd(() => removeDataDir(folder));
  const mount = (name: string) => {
    const disk = mountSmallDisk(join(folder, name), DISK_MB);
    onEnd(disk.remove);
    return disk;
  };
  const disks = { registry: mount('registry'), shell: mount('shell') };
  mkdirSync(join(folder, 'logs'));
  const registry = await startRegistry(disks.registry.path, join(folder, 'logs'));
  onEnd(() => registry.service.stop());
  const shell = await startReplica(
    stack,
    disks.shell.path,
    {
      LOCAL_MODE: 'true',
      LOG_LEVEL: 'warn',
      PAGE_CACHE_SECONDS: '0',
      SESSION_SECRET: SECRET,
      REGISTRY_URL: registry.url,
    },
    onEnd,
  );
  const good = fixtureDist('good');
  const { name } = readManifest(good);
  return { disks, registry, shell, good, name };
}
type Site = Awaited<ReturnType<typeof startSite>>;

/** Words of the fixture, and what a version says instead. */
const words = (version: string) => ['Fixture showcase', `Fixture showcase ${version}`] as const;

/** Whether the shell's page shows a version. */
const shows =
  ({ shell }: Site, version: string) =>
  async () =>
    slotHtml(await wholePage(shell.url + PAGE), 'showcase').includes(`Fixture showcase ${version}`);

/** Starts visitors of the shell. */
const visitSite = ({ shell, name }: Site): Visits =>
  startVisitors(2, 50, async () => {
    await visitPageAndFile(shell.url, PAGE, name);
  });

/** Publishes two versions and makes the first one live. */
async function publishFirst(site: Site): Promise<void> {
  const { registry, good, name } = site;
  await publishVariant(registry.url, good, '9.9.1', words('9.9.1'));
  await publishVariant(registry.url, good, '9.9.2', words('9.9.2'));
  await promote(registry.url, name, '9.9.1');
  await until('the first release', shows(site, '9.9.1'));
}

/** Tries to publish and to promote while the registry's disk is full. */
async function writeOnFullDisk({ disks, registry, good, name }: Site): Promise<Finding[]> {
  const pointersFile = join(registry.folder, 'pointers.json');
  const stored = () => ({
    releases: readdirSync(join(registry.folder, 'releases', name)).sort(),
    drafts: readdirSync(join(registry.folder, 'drafts')),
    files: readdirSync(registry.folder).sort(),
    pointers: readFileSync(pointersFile, 'utf8'),
  });
  const before = stored();
  const answers: string[] = [];
  let changed = 0;
  for (const [at, left] of LEFT.entries()) {
    disks.registry.fill(left);
    try {
      await publishVariant(registry.url, good, `9.9.${at + 10}`, words('none'));
      answers.push('published');
    } catch (error) {
      if (!(error instanceof RegistryCallError)) throw error;
      answers.push(`${error.code}: ${error.message}`);
    }
    if (JSON.stringify(stored()) !== JSON.stringify(before)) changed += 1;
  }
  const isRefused = answers.every((answer) => answer.startsWith('STORAGE_FULL: '));
  disks.registry.fill(0);
  const { status, json } = await write(registry.url, `/api/remotes/${name}/promote`, { version: '9.9.2' });
  const pointers = await readPointers(registry.url);
  const isPointerWhole =
    pointers.remotes[name]?.live === '9.9.1' && readFileSync(pointersFile, 'utf8') === before.pointers;
  return [
    told('Answers to publishes on a full disk', [...new Set(answers)].join('; ')),
    required('Each of them', isRefused ? 'STORAGE_FULL' : 'something else', 'STORAGE_FULL', isRefused),
    required('Releases, pointers or drafts changed by them', changed, '0', changed === 0),
    required(
      'A promote on a full disk',
      `${status} ${JSON.stringify(json).slice(0, 60).replaceAll('|', '/')}…`,
      '507',
      status === 507,
    ),
    required('The pointer after it', isPointerWhole ? 'as before' : 'changed', 'as before', isPointerWhole),
  ];
}

/** Promotes a release while the shell's disk is full. */
async function adoptOnFullDisk(site: Site): Promise<Finding> {
  const { disks, registry, name } = site;
  disks.registry.empty();
  disks.shell.fill(0);
  await promote(registry.url, name, '9.9.2');
  let isAdopted = true;
  await until('the release on a full disk', shows(site, '9.9.2')).catch(() => {
    isAdopted = false;
  });
  return required(
    "A release promoted while the shell's disk is full",
    isAdopted ? 'is shown' : 'is not shown',
    'is shown',
    isAdopted,
  );
}

/** Restarts the shell with its disk full and the registry gone. */
async function restartOnFullDisk(site: Site): Promise<Finding[]> {
  const { registry, shell } = site;
  await registry.service.stop();
  await shell.service().stop();
  await shell.start();
  const releases = await releasesOf(shell.url);
  const visits = visitSite(site);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  await visits.stop();
  return [
    required(
      'Releases after a restart with full disk and without registry',
      Object.keys(releases).length,
      '5',
      Object.keys(releases).length === 5,
    ),
    required(
      `Failed of ${visits.count()} pages and files after it`,
      listed(visits.failures),
      '0',
      visits.failures.length === 0 && visits.count() > 0,
    ),
  ];
}

export const fullDisk: Proof = {
  name: 'full-disk',
  title: 'A full disk costs a publish, never a page',
  limitMs: 4 * 60_000,
  method: `A registry and a shell keep their files on disks of ${DISK_MB} MB each (tmpfs), which are then filled. Publishes are tried with ${LEFT.map((bytes) => bytes / KIB).join(', ')} KiB left: each must be refused with STORAGE_FULL, and releases, pointers and drafts must be as before. The shell, its own disk full, must adopt a new release all the same; and with the registry killed besides, it must come back from what its disk held before.`,
  async run(context) {
    const site = await startSite(context);
    await publishFirst(site);
    const visits = visitSite(site);
    context.onEnd(() => visits.stop());
    const writeFindings = await writeOnFullDisk(site);
    context.say("the shell's disk is full, too");
    const adopted = await adoptOnFullDisk(site);
    await visits.stop();
    const restartFindings = await restartOnFullDisk(site);
    return [
      ...writeFindings,
      adopted,
      required(
        `Failed of ${visits.count()} pages and files meanwhile`,
        listed(visits.failures),
        '0',
        visits.failures.length === 0,
      ),
      ...restartFindings,
    ];
  },
};
