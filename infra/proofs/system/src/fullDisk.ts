import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { startReplica } from '@forecourt/harness/shellReplica';
import { startVisitors, type Visits } from '@forecourt/harness/visitors';
import { fixtureDist, promote, readManifest, releasesOf } from '@forecourt/harness/releases';
import { RegistryCallError } from '@forecourt/release-kit/registryClient';
import { remoteNames, removeDataDir } from '@forecourt/local';
import { slotHtml } from '@forecourt/harness/serverHtml';
import { post, publishVariant, readPointers, startRegistry } from './registry.ts';
import { PAGE, visitPageAndFile, completePage } from './pages.ts';
import {
  type Finding,
  type Proof,
  type ProofContext,
  noFailures,
  required,
  reported,
  until,
} from './proof.ts';
import { execFileSync } from 'node:child_process';

const DISK_MB = 24;
const KIB = 1024;
/** Free bytes for a publish that needs about 20 KiB: each value makes another write fail. */
const FREE_BYTES = [0, 4, 8, 12, 16].map((kibibytes) => kibibytes * KIB);
const SECRET = 'full-disk-proof-secret-of-32-characters';

/** Starts a registry and a shell, each on its own small disk. */
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
      CACHE_SECONDS: 'pages=0,slots=0',
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

/** Words of the fixture, and their replacement in a version. */
const words = (version: string) => ['Fixture showcase', `Fixture showcase ${version}`] as const;

/** Whether the shell's page shows a version. */
const shows =
  ({ shell }: Site, version: string) =>
  async () =>
    slotHtml(await completePage(shell.url + PAGE), 'showcase').includes(`Fixture showcase ${version}`);

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
  await until('the page shows the first release', shows(site, '9.9.1'));
}

/** Tries to publish and to promote while the registry's disk is full. */
async function writeOnFullDisk({ disks, registry, good, name }: Site): Promise<Finding[]> {
  const storedState = async () => ({
    releases: readdirSync(join(registry.folder, 'files', name), { recursive: true }).sort(),
    drafts: readdirSync(join(registry.folder, 'drafts')),
    files: readdirSync(registry.folder).sort(),
    pointers: await readPointers(registry.url),
  });
  const before = await storedState();
  const responses: string[] = [];
  let changed = 0;
  for (const [at, free] of FREE_BYTES.entries()) {
    disks.registry.fill(free);
    try {
      await publishVariant(registry.url, good, `9.9.${at + 10}`, words('none'));
      responses.push('published');
    } catch (error) {
      if (!(error instanceof RegistryCallError)) throw error;
      responses.push(`${error.code}: ${error.message}`);
    }
    if (JSON.stringify(await storedState()) !== JSON.stringify(before)) changed += 1;
  }
  const isRefused = responses.every((response) => response.startsWith('STORAGE_FULL: '));
  disks.registry.fill(0);
  const { status, json } = await post(registry.url, `/api/remotes/${name}/promote`, { version: '9.9.2' });
  const pointers = await readPointers(registry.url);
  const isPointerUnchanged =
    pointers.remotes[name]?.live === '9.9.1' && JSON.stringify(pointers) === JSON.stringify(before.pointers);
  return [
    reported('Responses to publishes on a full disk', [...new Set(responses)].join('; ')),
    required('Code of each response', isRefused ? 'STORAGE_FULL' : 'another', 'STORAGE_FULL', isRefused),
    required('Publishes that changed releases, pointers or drafts', changed, '0', changed === 0),
    required(
      'Promote on a full disk',
      `${status} ${JSON.stringify(json).slice(0, 60).replaceAll('|', '/')}…`,
      '507',
      status === 507,
    ),
    required(
      'Pointer after it',
      isPointerUnchanged ? 'unchanged' : 'changed',
      'unchanged',
      isPointerUnchanged,
    ),
  ];
}

/** Promotes a release while the shell's disk is full. */
async function adoptOnFullDisk(site: Site): Promise<Finding> {
  const { disks, registry, name } = site;
  disks.registry.empty();
  disks.shell.fill(0);
  await promote(registry.url, name, '9.9.2');
  let isAdopted = true;
  await until('the page shows the release', shows(site, '9.9.2')).catch(() => {
    isAdopted = false;
  });
  return required(
    "Release promoted while the shell's disk is full",
    isAdopted ? 'shown' : 'not shown',
    'shown',
    isAdopted,
  );
}

/** Restarts the shell while its disk is full and the registry is down. */
async function restartOnFullDisk(site: Site): Promise<Finding[]> {
  const { registry, shell } = site;
  await registry.service.stop();
  await shell.service().stop();
  await shell.start();
  const releases = await releasesOf(shell.url);
  const remotes = remoteNames().length;
  const visits = visitSite(site);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  await visits.stop();
  return [
    required(
      'Releases after a restart with a full disk and no registry',
      Object.keys(releases).length,
      String(remotes),
      Object.keys(releases).length === remotes,
    ),
    noFailures('visits after the restart', visits.count(), visits.failures),
  ];
}

export const fullDisk: Proof = {
  name: 'full-disk',
  title: 'A full disk fails publishes, but never pages',
  limitMs: 4 * 60_000,
  method: `A registry and a shell keep their files on disks of ${DISK_MB} MB each (tmpfs), which are then filled. Publishes with ${FREE_BYTES.map((bytes) => bytes / KIB).join(', ')} KiB free must be refused with STORAGE_FULL, and releases, pointers and drafts must not change. A shell whose disk is full must still use a new release. With the registry stopped, too, it must restart from the releases on its disk.`,
  async run(context) {
    const site = await startSite(context);
    await publishFirst(site);
    const visits = visitSite(site);
    context.onEnd(() => visits.stop());
    const writeFindings = await writeOnFullDisk(site);
    context.say("the shell's disk is full");
    const adopted = await adoptOnFullDisk(site);
    await visits.stop();
    const restartFindings = await restartOnFullDisk(site);
    return [
      ...writeFindings,
      adopted,
      noFailures('visits during these steps', visits.count(), visits.failures),
      ...restartFindings,
    ];
  },
};

interface SmallDisk {
  readonly path: string;
  /** Fills the disk except for `free` bytes. */
  readonly fill: (free: number) => void;
  readonly empty: () => void;
  readonly remove: () => void;
}

const FILLER = 'filler';

/** Mounts a disk in memory at `path`. @throws Error when the user must not mount one */
function mountSmallDisk(path: string, megabytes: number): SmallDisk {
  mkdirSync(path, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'pipe' });
  } catch (error) {
    throw new Error(`a small disk cannot be mounted here (that needs root): ${(error as Error).message}`, {
      cause: error,
    });
  }
  const filler = join(path, FILLER);
  const empty = () => rmSync(filler, { force: true });
  return {
    path,
    fill(free) {
      empty();
      const { bavail, bsize } = statfsSync(path);
      const available = bavail * bsize;
      writeFileSync(filler, Buffer.alloc(Math.max(0, available - free)));
      // The file system may count in larger blocks.
      if (free === 0) {
        const rest = statfsSync(path);
        if (rest.bavail > 0) truncateSync(filler, available);
      }
    },
    empty,
    remove: () => void execFileSync('umount', ['--lazy', path]),
  };
}
