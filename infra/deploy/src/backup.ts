import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';

// Copies everything durable in a DATA_DIR while its services run, and puts it back. Needs nothing but Node, so that the
// images of all services hold it.

const MANIFEST = 'backup.json';
/** Files by path relative to the folder, each with the SHA-256 of its bytes. */
type Files = Readonly<Record<string, string>>;

/** What is not data: logs, locks, older backups, the shells' copies of releases, half-written files, and parts of open databases. */
const SKIPPED = [
  /^(?:backups|logs)\//,
  /^shell\//,
  /^registry\/drafts\//,
  /^stack\.pid$/,
  /\.(?:sqlite-(?:wal|shm)|tmp)$/,
];
/** Copied first: the files of releases that it names are older than it. */
const REGISTRY = ['registry/registry.sqlite', 'registry/pointers.json'];

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !SKIPPED.some((pattern) => pattern.test(path)))
    .sort((a, b) => Number(REGISTRY.includes(b)) - Number(REGISTRY.includes(a)) || a.localeCompare(b));

function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  copyFileSync(from, to);
}

/** Copies an open database with everything committed, also what is still in its write-ahead log. */
async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    await backup(source, to);
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  try {
    const { integrity_check: verdict } = copy.prepare('PRAGMA integrity_check').get() as Record<
      string,
      string
    >;
    if (verdict !== 'ok') throw new Error(`${from} is damaged: ${verdict}`);
  } finally {
    copy.close();
  }
}

/**
 * Backs up `dataDir` into the new folder `target`, which is there only when the backup is whole. Returns its files.
 * @throws Error when `target` exists, or a database is damaged
 */
export async function backUp(dataDir: string, target: string): Promise<readonly string[]> {
  if (existsSync(target)) throw new Error(`${target} exists; name a new folder`);
  mkdirSync(dirname(target), { recursive: true });
  const draft = mkdtempSync(join(dirname(target), `.${basename(target)}-`));
  try {
    const files: Record<string, string> = {};
    for (const path of filesBelow(dataDir)) {
      const copy = join(draft, path);
      mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
      if (path.endsWith('.sqlite')) await copyDatabase(join(dataDir, path), copy);
      else place(join(dataDir, path), copy);
      files[path] = hashOf(copy);
    }
    writeFileSync(join(draft, MANIFEST), JSON.stringify({ at: new Date().toISOString(), files }, null, 1), {
      flush: true,
    });
    renameSync(draft, target);
    return Object.keys(files);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Puts the files of a backup into `dataDir`, whose services are stopped; `only` names the first folder or file to restore,
 * e.g. 'people.sqlite'. Nothing is written unless the whole backup is intact and none of the files exists.
 * @throws Error that names the first file that is damaged, missing or in the way
 */
export function restore(source: string, dataDir: string, only?: string): readonly string[] {
  const { files } = JSON.parse(readFileSync(join(source, MANIFEST), 'utf8')) as { files: Files };
  const wanted = Object.entries(files).filter(
    ([path]) => only === undefined || path === only || path.startsWith(`${only}/`),
  );
  if (wanted.length === 0) throw new Error(`${source} holds no ${only ?? 'files'}`);
  for (const [path, hash] of wanted) {
    if (!existsSync(join(source, path)) || hashOf(join(source, path)) !== hash)
      throw new Error(`${path} of the backup is missing or damaged`);
    // A write-ahead log of another database would be replayed into this one.
    const inTheWay = [path, `${path}-wal`, `${path}-shm`].find((name) => existsSync(join(dataDir, name)));
    if (inTheWay) throw new Error(`${join(dataDir, inTheWay)} exists; move it away first`);
  }
  for (const [path] of wanted) place(join(source, path), join(dataDir, path));
  return wanted.map(([path]) => path);
}

const DAY_MS = 86_400_000;

/**
 * Deletes the backups directly below a folder that are older than so many days, so that erased data ends there too. Returns
 * their folders. Incomplete backups stay.
 */
export function expire(folder: string, days: number, now = Date.now()): readonly string[] {
  const old = readdirSync(folder).filter((name) => {
    const manifest = join(folder, name, MANIFEST);
    if (!existsSync(manifest)) return false;
    const { at } = JSON.parse(readFileSync(manifest, 'utf8')) as { at: string };
    return now - Date.parse(at) > days * DAY_MS;
  });
  for (const name of old) rmSync(join(folder, name), { recursive: true });
  return old;
}

const USAGE = `backup.ts backup DATA_DIR NEW_FOLDER        while the services run
backup.ts restore FOLDER DATA_DIR [PATH]    while they are stopped; PATH: one store, e.g. people.sqlite
backup.ts expire BACKUPS DAYS               deletes the backups in a folder that are older
`;

async function main(): Promise<void> {
  const [verb, from, to, only] = parseArgs({ allowPositionals: true }).positionals;
  const isKnown = verb === 'backup' || verb === 'restore' || (verb === 'expire' && Number(to) > 0);
  if (from === undefined || to === undefined || !isKnown) {
    process.stderr.write(USAGE);
    process.exit(1);
  }
  if (verb === 'expire') {
    process.stdout.write(`expire: ${expire(resolve(from), Number(to)).length} backups deleted\n`);
    return;
  }
  const files =
    verb === 'backup' ? await backUp(resolve(from), resolve(to)) : restore(resolve(from), resolve(to), only);
  process.stdout.write(`${verb}: ${files.length} files in ${to}\n`);
}

// For the owner only: a backup holds accounts, messages and secrets.
if (import.meta.main) {
  process.umask(0o077);
  main().catch((error: unknown) => {
    process.stderr.write(`backup: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
