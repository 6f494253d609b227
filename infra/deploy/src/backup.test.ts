import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { backUp, expire, restore } from './backup.ts';

let folder: string;
let dataDir: string;
let people: DatabaseSync;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forecourt-backup-'));
  dataDir = join(folder, 'data');
  mkdirSync(join(dataDir, 'registry/drafts/half'), { recursive: true });
  mkdirSync(join(dataDir, 'logs'));
  writeFileSync(join(dataDir, 'registry/pointers.json'), '{"revision":3}');
  writeFileSync(join(dataDir, 'registry/drafts/half/a.js'), 'half');
  writeFileSync(join(dataDir, 'logs/shell.log'), 'line');
  writeFileSync(join(dataDir, 'session-secret'), 'secret');
  people = new DatabaseSync(join(dataDir, 'people.sqlite'));
  people.exec('PRAGMA journal_mode = WAL; CREATE TABLE saved (id TEXT); INSERT INTO saved VALUES (1)');
});
afterEach(() => {
  people.close();
  rmSync(folder, { recursive: true });
});

const target = () => join(folder, 'backups/monday');
const savedIn = (data: string) => {
  const db = new DatabaseSync(join(data, 'people.sqlite'));
  try {
    return db.prepare('SELECT count(*) AS count FROM saved').get();
  } finally {
    db.close();
  }
};

it('copies what is committed in open databases, and no logs or half-written releases', async () => {
  expect(await backUp(dataDir, target())).toEqual([
    'registry/pointers.json',
    'people.sqlite',
    'session-secret',
  ]);
  people.exec('INSERT INTO saved VALUES (2)');
  const restored = join(folder, 'restored');
  restore(target(), restored);
  expect({ ...savedIn(restored) }).toEqual({ count: 1 });
  expect(readFileSync(join(restored, 'session-secret'), 'utf8')).toBe('secret');
});

it('restores one store', async () => {
  await backUp(dataDir, target());
  const restored = join(folder, 'restored');
  expect(restore(target(), restored, 'registry')).toEqual(['registry/pointers.json']);
  expect(existsSync(join(restored, 'people.sqlite'))).toBe(false);
  expect(() => restore(target(), restored, 'nothing')).toThrow('holds no nothing');
});

it('writes nothing over data, and nothing from a damaged backup', async () => {
  await backUp(dataDir, target());
  expect(() => restore(target(), dataDir)).toThrow('exists; move it away first');
  writeFileSync(join(target(), 'session-secret'), 'other');
  const restored = join(folder, 'restored');
  expect(() => restore(target(), restored)).toThrow('session-secret of the backup is missing or damaged');
  expect(existsSync(restored)).toBe(false);
});

it('deletes backups that are older than so many days, and nothing else', async () => {
  await backUp(dataDir, target());
  mkdirSync(join(folder, 'backups/other'));
  const day = 86_400_000;
  expect(expire(join(folder, 'backups'), 30, Date.now() + 29 * day)).toEqual([]);
  expect(expire(join(folder, 'backups'), 30, Date.now() + 31 * day)).toEqual(['monday']);
  expect([existsSync(target()), existsSync(join(folder, 'backups/other'))]).toEqual([false, true]);
});

it('leaves no backup behind when a database is damaged, and replaces none', async () => {
  writeFileSync(
    join(dataDir, 'activity.sqlite'),
    'no database, but long enough to be read as one '.repeat(50),
  );
  await expect(backUp(dataDir, target())).rejects.toThrow();
  expect(existsSync(target())).toBe(false);
  rmSync(join(dataDir, 'activity.sqlite'));
  await backUp(dataDir, target());
  await expect(backUp(dataDir, target())).rejects.toThrow('exists; name a new folder');
});
