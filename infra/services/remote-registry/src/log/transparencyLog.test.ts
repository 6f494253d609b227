import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EMPTY_LOG, type LogEvent, nextEntry, readEntry } from '@forecourt/release-kit/logEntries';
import { publishRelease } from '@forecourt/release-kit/registryClient';
import {
  manifestBytesOf,
  sampleRelease,
  temporaryDirectory,
  writeRelease,
} from '@forecourt/release-kit/testing';
import { changeDatabase, postJson, startTestRegistry, type TestRegistry } from '../testing/testApp.ts';
import { PointerBoard } from '../pointers/pointerBoard.ts';
import { PointerWaits } from '../pointers/pointerWaits.ts';
import type { LogStore } from '../ports.ts';
import { addToStore } from '../releases/addToStore.ts';
import { openLocalStorage } from '../storage/openStorage.ts';
import { TransparencyLog } from './transparencyLog.ts';

const event = (subject: string): LogEvent => ({ action: 'promote', by: 'ann', subject, details: {} });

/** A log in memory. */
function memoryStore(entries: string[] = []): LogStore & { entries: string[]; isFull: boolean } {
  return {
    entries,
    isFull: false,
    readEntries: async (after, limit) => entries.slice(after, after + limit),
    async appendEntry(sequence, text) {
      if (this.isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      if (entries.length >= sequence) return false;
      entries.push(text);
      return true;
    },
  };
}

function verify(entries: readonly string[]) {
  let head = EMPTY_LOG;
  const subjects: string[] = [];
  for (const text of entries) {
    const next = readEntry(head, text);
    head = next.head;
    subjects.push(next.entry.subject);
  }
  return { head, subjects };
}

describe('the transparency log', () => {
  it('chains log entries by hash, also those of several registries', async () => {
    const store = memoryStore();
    const logs = [await TransparencyLog.open(store), await TransparencyLog.open(store)];
    const names = Array.from({ length: 20 }, (_, at) => `remote-${at}`);
    await Promise.all(names.map((name, at) => logs[at % 2]!.record(event(name))));
    expect(verify(store.entries).subjects.sort()).toEqual(names.sort());
    const reopened = await TransparencyLog.open(store);
    expect(reopened.problem).toBeUndefined();
    expect(reopened.head.sequence).toBe(20);
  });

  it('keeps an event that could not be written and rejects changes until it is', async () => {
    const store = memoryStore();
    const log = await TransparencyLog.open(store);
    store.isFull = true;
    await log.record(event('first'));
    await expect(log.mustBeWritable()).rejects.toMatchObject({ code: 'ENOSPC' });
    store.isFull = false;
    await log.mustBeWritable();
    expect(verify(store.entries).subjects).toEqual(['first']);
  });

  const damage: readonly (readonly [string, (entries: string[]) => unknown])[] = [
    ['a changed entry', (entries) => (entries[1] = entries[1]!.replace('"ann"', '"bob"'))],
    ['a removed entry', (entries) => entries.splice(1, 1)],
    ['entries in another order', (entries) => entries.splice(0, 2, entries[1]!, entries[0]!)],
    ['an inserted entry', (entries) => entries.splice(1, 0, nextEntry(EMPTY_LOG, event('x'), new Date()))],
    ['an unreadable entry', (entries) => (entries[1] = '{')],
    [
      'a later entry that was written from scratch',
      (entries) => (entries[2] = nextEntry({ sequence: 2, hash: '0'.repeat(64) }, event('x'), new Date())),
    ],
  ];
  it.each(damage)('accepts no new entries when the log is broken by %s', async (_, change) => {
    const store = memoryStore();
    const log = await TransparencyLog.open(store);
    for (const name of ['first', 'second', 'third']) await log.record(event(name));
    change(store.entries);
    const reopened = await TransparencyLog.open(store);
    expect(reopened.problem).toMatch(/log/);
    const { length } = store.entries;
    await expect(reopened.mustBeWritable()).rejects.toMatchObject({ code: 'STORAGE_DAMAGED' });
    await reopened.record(event('fourth'));
    expect(store.entries).toHaveLength(length);
  });
});

describe('the log of a registry', () => {
  let registry: TestRegistry;
  beforeEach(async () => {
    registry = await startTestRegistry();
  });
  afterEach(() => registry.stop());

  const post = (path: string, body: unknown) => postJson(`${registry.url}/api/${path}`, body);
  const entries = async () =>
    ((await (await fetch(`${registry.url}/api/log`)).json()) as { entries: string[] }).entries;
  async function publish(version: string): Promise<void> {
    const { path, remove } = await temporaryDirectory();
    await writeRelease(path, sampleRelease({ version }));
    await publishRelease({ directory: path, registryUrl: registry.url });
    await remove();
  }

  it('logs one entry for each publication, pointer move and access change', async () => {
    await publish('1.0.0');
    await publish('1.1.0');
    await post('remotes/sample/promote', { version: '1.0.0', why: 'first' });
    await post('remotes/sample/promote', { version: '1.0.0' });
    await post('remotes/sample/canary', { version: '1.1.0', weight: 5 });
    await post('remotes/sample/promote', { version: '9.9.9' });
    await post('remotes/sample/promote', {});
    await post('remotes/sample/rollback', {});
    await post('credentials', { name: 'ci', scopes: [{ remote: 'sample', actions: ['publish'] }] });
    await post('credentials/ci/rotate', {});
    await post('credentials/ci/revoke', {});
    const events = (await entries()).map((text) => JSON.parse(text) as { action: string; subject: string });
    expect(events.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
      'publish sample@1.0.0',
      'publish sample@1.1.0',
      'promote sample',
      'canary sample',
      'promote sample',
      'rollback sample',
      'create-credential ci',
      'rotate-credential ci',
      'revoke-credential ci',
    ]);
    expect(events[2]).toMatchObject({ by: 'local', details: { revision: 1, live: '1.0.0', why: 'first' } });
    expect((await entries()).join()).not.toContain('frc_');
    expect(verify(await entries()).head.sequence).toBe(9);
  });

  it('rejects changes while the log is broken, except rollbacks and ending a canary', async () => {
    await publish('1.0.0');
    await publish('1.1.0');
    await post('remotes/sample/promote', { version: '1.0.0' });
    await post('remotes/sample/promote', { version: '1.1.0' });
    changeDatabase(
      registry,
      `UPDATE log_entry SET body = replace(body, '1.1.0', '1.2.0') WHERE sequence = 2`,
    );
    const { storage, board } = registry;
    const log = await TransparencyLog.open(storage.log);
    const restarted = await startTestRegistry({}, { ...storage, board, log });
    const send = async (path: string, body: unknown) =>
      (await postJson(`${restarted.url}/api/${path}`, body)).status;
    expect(await send('remotes/sample/promote', { version: '1.0.0' })).toBe(500);
    expect(await send('remotes/sample/canary', { version: '1.0.0', weight: 5 })).toBe(500);
    expect(await send('credentials', { name: 'ci', scopes: [] })).toBe(500);
    expect(await send('remotes/sample/canary', { version: '1.0.0', weight: 0 })).toBe(200);
    expect(await send('remotes/sample/rollback', {})).toBe(200);
    expect((await fetch(`${restarted.url}/remotes/sample/1.0.0/web/icon.svg`)).status).toBe(200);
    await restarted.stop();
  });

  it('records at startup changes that were made without the service', async () => {
    const release = sampleRelease();
    const upload = { manifestBytes: manifestBytesOf(release), files: release.files };
    const storage = await openLocalStorage(registry.dataDir);
    await addToStore(storage.releases, upload, { brotliQuality: 0 });
    const board = new PointerBoard({ ...storage, waits: new PointerWaits() });
    await board.promote('sample', '1.0.0', { origin: { by: 'offline' } });
    for (let start = 1; start <= 2; start += 1) {
      const log = await TransparencyLog.open(storage.log);
      await log.recover(storage);
    }
    const events = (await storage.log.readEntries(0, 10)).map((text) => JSON.parse(text) as unknown);
    expect(events).toEqual([
      expect.objectContaining({ action: 'publish', subject: 'sample@1.0.0' }),
      expect.objectContaining({ action: 'promote', by: 'offline', subject: 'sample' }),
    ]);
  });
});
