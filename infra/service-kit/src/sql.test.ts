import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLease, isLeaseHeld } from './lease.ts';
import { migratePostgres, openPostgres, SchemaTooOldError } from './postgresSql.ts';
import { createRateCounters, sweepRateCounters } from './rateCounters.ts';
import type { Sql } from './sql.ts';
import { openSqlite } from './database.ts';
import { persistentSql, untilAvailable } from './persistentSql.ts';
import { allOf, runOf, writeRows } from './sqlRows.ts';
import { findPostgres, type PostgresServer, startPostgres } from './testing/postgresServer.ts';

const bin = findPostgres();
let server: PostgresServer;
let folder: string;
let schema: string;
let schemas = 0;
let sql: Sql;

const TABLE = `CREATE TABLE seat (id INTEGER PRIMARY KEY, row TEXT NOT NULL UNIQUE, taken_at INTEGER) STRICT;
CREATE TABLE owner (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE rate_count (key TEXT PRIMARY KEY, hits INTEGER NOT NULL, reset_at INTEGER NOT NULL) STRICT;`;

beforeAll(async () => {
  if (bin) server = await startPostgres(bin);
}, 60_000);
afterAll(() => server?.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sql-'));
});
afterEach(async () => {
  await sql?.close().catch(() => undefined);
  rmSync(folder, { recursive: true });
});

const migration = (file: string, text: string) => writeFileSync(join(folder, file), text);
const postgres = () => ({ url: server.url, schema, migrations: folder });
const openers = {
  SQLite: () =>
    Promise.resolve(openSqlite(join(folder, 'test.sqlite'), { durability: 'full', migrations: folder })),
  PostgreSQL: async () => {
    schema = `test_${++schemas}`;
    await migratePostgres(postgres());
    return openPostgres(postgres());
  },
};
const engines = (['SQLite', ...(bin ? (['PostgreSQL'] as const) : [])] as const).map(
  (name) => [name] as const,
);
if (!bin) it.skip('skipped: no PostgreSQL', () => undefined);

describe.each(engines)('a database of %s', (engine) => {
  beforeEach(async () => {
    migration('001-seats.sql', TABLE);
    sql = await openers[engine]();
  });
  const add = (row: string) => sql.run('INSERT INTO seat (row, taken_at) VALUES (?, ?)', row, null);
  const rows = async () =>
    (await sql.all<{ row: string }>('SELECT row FROM seat ORDER BY id')).map(({ row }) => row);

  it('looks at tables that have rows and no statistics', async () => {
    await writeRows(
      sql,
      'INSERT INTO seat (row)',
      Array.from({ length: 100 }, (_, row) => [`row ${row}`]),
    );
    await sql.analyze(['seat', 'owner']);
    if (engine === 'SQLite') return;
    const rowsSeen = async () =>
      (await sql.get<{ rows: number }>(
        `SELECT CAST(reltuples AS INT) AS rows FROM pg_class WHERE oid = to_regclass('seat')`,
      ))!.rows;
    expect(await rowsSeen()).toBe(100);
    await sql.run(`INSERT INTO seat (row) VALUES ('one more')`);
    await sql.analyze(['seat', 'owner']);
    expect(await rowsSeen()).toBe(100);
  });

  it('returns rows, counts of changes, numbers up to milliseconds since 1970, and null', async () => {
    expect(await add('A')).toBe(1);
    expect(await sql.run('INSERT INTO seat (row) VALUES (?) ON CONFLICT (row) DO NOTHING', 'A')).toBe(0);
    expect(await sql.get('SELECT * FROM seat WHERE row = ?', 'A')).toEqual({
      id: 1,
      row: 'A',
      taken_at: null,
    });
    await sql.run('UPDATE seat SET taken_at = ? WHERE row = ?', 1_800_000_000_000, 'A');
    expect(await sql.get('SELECT taken_at, count(*) AS n FROM seat GROUP BY taken_at')).toEqual({
      taken_at: 1_800_000_000_000,
      n: 1,
    });
    expect(await sql.get('SELECT * FROM seat WHERE row = ?', 'Z')).toBeUndefined();
  });

  it('keeps nothing of a transaction that fails, also of one inside it, and the connection stays usable', async () => {
    const failing = sql.transaction(async () => {
      await add('A');
      await sql.transaction(() => add('B'));
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await add('C');
    expect(await rows()).toEqual(['C']);
    await expect(add('C')).rejects.toThrow(/unique/i);
  });

  it('keeps a statement from outside when a transaction that ran at the same time fails', async () => {
    const failing = sql.transaction(async () => {
      await add('A');
      await wait(20);
      throw new Error('failed');
    });
    const outside = add('B');
    await expect(failing).rejects.toThrow('failed');
    await outside;
    expect(await rows()).toEqual(['B']);
  });

  it('keeps a limit that concurrent transactions check before they insert', async () => {
    const takeIfFree = (row: string) =>
      sql.transaction(async () => {
        const { n } = (await sql.get<{ n: number }>('SELECT count(*) AS n FROM seat'))!;
        if (n < 3) await add(row);
      });
    await Promise.all(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].map(takeIfFree));
    expect(await rows()).toHaveLength(3);
  });

  it('runs transactions of one name one after the other, each with what those before have committed', async () => {
    const takeNext = () =>
      sql.inTurn('seats', async () => {
        const { n } = (await sql.get<{ n: number }>('SELECT count(*) AS n FROM seat'))!;
        await wait(2);
        await add(String(n));
        return n;
      });
    const numbers = await Promise.all(Array.from({ length: 8 }, takeNext));
    expect(numbers.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const failing = sql.inTurn('seats', async () => {
      await add('lost');
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await takeNext()).toBe(8);
    // A part of the transaction around it.
    expect(await sql.transaction(() => sql.inTurn('seats', takeNext))).toBe(9);
    expect(await rows()).toHaveLength(10);
  });

  it('reads, changes and inserts any number of rows by their keys', async () => {
    const all = Array.from({ length: 700 }, (_, at) => `row-${at}`);
    expect(
      await writeRows(
        sql,
        'INSERT INTO seat (row, taken_at)',
        all.map((row, at) => [row, at]),
      ),
    ).toBe(700);
    expect(
      await writeRows(sql, 'INSERT INTO seat (row)', [['row-1'], ['new']], 'ON CONFLICT DO NOTHING'),
    ).toBe(1);
    const READ = 'SELECT row FROM seat WHERE taken_at > ? AND row IN (?) ORDER BY id';
    expect(await allOf(sql, READ, [])).toEqual([]);
    for (const count of [1, 3, 256, 257, 650])
      expect(await allOf(sql, READ, all.slice(0, count), -1)).toEqual(
        all.slice(0, count).map((row) => ({ row })),
      );
    expect(await allOf(sql, READ, ['row-5', 'row-9', 'unheard'], 5)).toEqual([{ row: 'row-9' }]);
    expect(await runOf(sql, 'UPDATE seat SET taken_at = ? WHERE row IN (?)', all.slice(0, 300), 5_000)).toBe(
      300,
    );
    const SET = 'UPDATE seat SET taken_at = CAST(v.column2 AS BIGINT) + ? FROM (';
    expect(
      await writeRows(
        sql,
        SET,
        [
          ['row-7', 1],
          ['row-8', 2],
        ],
        ') AS v WHERE seat.row = v.column1',
        100,
      ),
    ).toBe(2);
    expect(
      await sql.all('SELECT taken_at FROM seat WHERE row IN (?, ?) ORDER BY id', 'row-7', 'row-8'),
    ).toEqual([{ taken_at: 101 }, { taken_at: 102 }]);
  });

  it('lets one of several transactions insert a key that all of them looked for', async () => {
    const addOnce = (row: string) =>
      sql.transaction(async () => {
        if (await sql.get('SELECT 1 FROM seat WHERE row = ?', row)) return false;
        await add(row);
        return true;
      });
    for (const row of ['A', 'B', 'C']) {
      const added = await Promise.all([1, 2, 3, 4, 5, 6].map(() => addOnce(row)));
      expect(added.filter(Boolean)).toHaveLength(1);
    }
  });
});

describe.each(engines)('a lease in %s', (engine) => {
  let at = 1_800_000_000_000;
  const leaseOf = (name: string, options = {}) => createLease(sql, name, { now: () => at, ...options });
  beforeEach(async () => {
    migration('001-seats.sql', TABLE);
    sql = await openers[engine]();
  });

  it('is held by one process until it lets go', async () => {
    const [one, other, third] = ['mails', 'mails', 'alerts'].map((name) => leaseOf(name));
    const held = await Promise.all([one!.hold(), other!.hold(), third!.hold()]);
    expect(held.filter(Boolean)).toHaveLength(2);
    const [holder, waiting] = held[0] ? [one!, other!] : [other!, one!];
    expect(await holder.hold()).toBe(held[0] ?? held[1]);
    await waiting.release();
    expect(await waiting.hold()).toBeUndefined();
    await holder.release();
    expect((held[0] ?? held[1])?.aborted).toBe(true);
    expect((await waiting.hold())?.aborted).toBe(false);
    await waiting.release();
    await third!.release();
  });

  it('passes to another process when its holder died, but not before its end', async () => {
    const dead = leaseOf('mails');
    await dead.hold();
    at += 29_999;
    const other = leaseOf('mails');
    expect(await other.hold()).toBeUndefined();
    at += 1;
    expect(await other.hold()).toBeDefined();
    await other.release();
    await dead.release();
  });

  it('is renewed while it is held, and its holder notices when another process has taken it', async () => {
    const slow = leaseOf('mails', { leaseMs: 60 });
    const held = await slow.hold();
    at += 50;
    const other = leaseOf('mails', { now: () => at });
    const renewed = async () =>
      (await sql.get<{ until_at: number }>('SELECT until_at FROM leases'))!.until_at;
    while ((await renewed()) < at + 60) await wait(5);
    expect(await other.hold()).toBeUndefined();
    await sql.run('UPDATE leases SET holder = ?', 'another process');
    await once(held!, 'abort');
    expect(await slow.hold()).toBeUndefined();
  });

  it('is seen by others until it is released, or has ended', async () => {
    const isHeld = () => isLeaseHeld(sql, 'mails', () => at);
    const lease = leaseOf('mails');
    expect(await isHeld()).toBe(false);
    await lease.hold();
    expect([await isHeld(), await isLeaseHeld(sql, 'alerts', () => at)]).toEqual([true, false]);
    at += 30_000;
    expect(await isHeld()).toBe(false);
    at -= 1;
    expect(await isHeld()).toBe(true);
    await lease.release();
    expect(await isHeld()).toBe(false);
  });

  it('can be taken at once when it is released during a renewal', async () => {
    const renewal = Promise.withResolvers<void>();
    const passes = Promise.withResolvers<void>();
    let taken = 0;
    const delayed: Sql = {
      ...sql,
      async run(text, ...values) {
        if (text.startsWith('INSERT') && ++taken === 2) {
          renewal.resolve();
          await passes.promise;
        }
        return sql.run(text, ...values);
      },
    };
    const lease = createLease(delayed, 'mails', { leaseMs: 60, now: () => at });
    await lease.hold();
    await renewal.promise;
    const released = lease.release();
    await wait(20);
    passes.resolve();
    await released;
    const other = leaseOf('mails');
    expect(await other.hold()).toBeDefined();
    await other.release();
  });

  it('counts as lost before its end when the database can’t be reached', async () => {
    let mine = at;
    const cut = leaseOf('mails', { leaseMs: 60, now: () => mine });
    const held = await cut.hold();
    await sql.close();
    await wait(50);
    expect(held?.aborted).toBe(false);
    mine += 40;
    await once(held!, 'abort');
  });
});

describe.each(engines)('counters of rate limits in %s', (engine) => {
  let at = 1_800_000_000_000;
  const now = () => at;
  beforeEach(async () => {
    migration('001-seats.sql', TABLE);
    sql = await openers[engine]();
  });

  it('count every hit of a window, whichever process it arrives at, and apart by name', async () => {
    const [one, other, mails] = ['sign-in', 'sign-in', 'mails'].map((name) => {
      const counters = createRateCounters(sql, now)(name);
      counters.init({ windowMs: 1000 });
      return counters;
    });
    const hits = await Promise.all([one!, other!, one!, other!].map((each) => each.increment('203.0.113.7')));
    expect(hits.map(({ totalHits }) => totalHits).sort()).toEqual([1, 2, 3, 4]);
    expect(await mails!.increment('203.0.113.7')).toEqual({ totalHits: 1, resetTime: new Date(at + 1000) });
    await other!.decrement('203.0.113.7');
    at += 999;
    expect(await one!.increment('203.0.113.7')).toEqual({ totalHits: 4, resetTime: new Date(at + 1) });
    at += 1;
    expect(await other!.increment('203.0.113.7')).toEqual({ totalHits: 1, resetTime: new Date(at + 1000) });
    expect(await sql.all('SELECT key FROM rate_count WHERE key LIKE ?', '%203%113%')).toEqual([]);
    await one!.resetKey('203.0.113.7');
    expect(await sweepRateCounters(sql, now)).toBe(1);
    expect(await sql.all('SELECT key FROM rate_count')).toEqual([]);
  });
});

it('leaves out migrations that are for PostgreSQL only', async () => {
  migration('001-seats.sql', TABLE);
  migration('002-rows.postgres.sql', 'no statement of SQLite');
  migration('003-note.sql', 'ALTER TABLE seat ADD COLUMN note TEXT;');
  sql = await openers.SQLite();
  expect(await sql.get('PRAGMA user_version')).toEqual({ user_version: 3 });
});

it('refuses to open a database if two migrations have the same version', async () => {
  migration('001-seats.sql', TABLE);
  migration('002-row.sql', 'ALTER TABLE seat ADD COLUMN note TEXT;');
  migration('002-owner.sql', 'CREATE TABLE owner (id TEXT);');
  await expect((async () => openers.SQLite())()).rejects.toThrow('same version');
});

(bin ? describe : describe.skip)('PostgreSQL', () => {
  beforeEach(() => {
    schema = `test_${++schemas}`;
    migration('001-seats.sql', TABLE);
  });

  it('refuses a schema older than the release and accepts a newer one', async () => {
    await expect(openPostgres(postgres())).rejects.toThrow(SchemaTooOldError);
    expect(await migratePostgres(postgres())).toBe(1);
    migration('002-row.sql', 'ALTER TABLE seat ADD COLUMN note TEXT;');
    migration('003-rows.sqlite.sql', 'no statement of PostgreSQL');
    await expect(openPostgres(postgres())).rejects.toThrow('run the migrate command');
    expect(await migratePostgres(postgres())).toBe(3);
    rmSync(join(folder, '002-row.sql'));
    rmSync(join(folder, '003-rows.sqlite.sql'));
    sql = await openPostgres(postgres());
    await sql.run('INSERT INTO seat (row) VALUES (?)', 'A');
  });

  it('migrates once when several processes do it together, and not at all when one migration fails', async () => {
    migration('002-row.sql', "INSERT INTO seat (row) VALUES ('once');");
    expect(await Promise.all([1, 2, 3].map(() => migratePostgres(postgres())))).toEqual([2, 2, 2]);
    migration('003-owner.sql', "INSERT INTO owner VALUES ('ada');");
    migration('004-broken.sql', 'CREATE NOTHING;');
    await expect(migratePostgres(postgres())).rejects.toThrow(/syntax/);
    rmSync(join(folder, '003-owner.sql'));
    rmSync(join(folder, '004-broken.sql'));
    sql = await openPostgres(postgres());
    expect(await sql.all('SELECT row FROM seat')).toEqual([{ row: 'once' }]);
    expect(await sql.all('SELECT * FROM owner')).toEqual([]);
  });

  it('writes while a migration waits for a transaction that has read its tables', async () => {
    await migratePostgres(postgres());
    sql = await openPostgres(postgres());
    let hasRead: () => void;
    const read = new Promise<void>((resolve) => (hasRead = resolve));
    const waits: number[] = [];
    const reading = sql.transaction(async () => {
      await sql.all('SELECT row FROM seat');
      hasRead();
      await wait(3_000);
      // However slow the machine is.
      while (waits.length <= 20) await wait(20);
    });
    await read;
    migration('002-row.sql', 'ALTER TABLE seat ADD COLUMN note TEXT;');
    let isMigrated = false;
    const migrating = migratePostgres(postgres()).finally(() => (isMigrated = true));
    for (let row = 0; !isMigrated; row += 1) {
      const started = performance.now();
      await sql.run('INSERT INTO seat (row) VALUES (?)', String(row));
      waits.push(performance.now() - started);
      await wait(20);
    }
    expect(await migrating).toBe(2);
    await reading;
    expect(Math.max(...waits)).toBeLessThan(1_500);
    expect(waits.length).toBeGreaterThan(20);
  });

  it('connects again after the server crashed, with everything that was acknowledged', async () => {
    await migratePostgres(postgres());
    const errors: Error[] = [];
    sql = await openPostgres({ ...postgres(), onError: (error) => errors.push(error) });
    await sql.run('INSERT INTO seat (row) VALUES (?)', 'A');
    await server.restart();
    expect(errors).not.toEqual([]);
    expect(await sql.isAvailable()).toBe(true);
    expect(await sql.all('SELECT row FROM seat')).toEqual([{ row: 'A' }]);
  });

  it('rejects a transaction whose connection is lost between two statements, and goes on', async () => {
    await migratePostgres(postgres());
    const errors: Error[] = [];
    sql = await openPostgres({ ...postgres(), onError: (error) => errors.push(error) });
    const broken = sql.transaction(async () => {
      await sql.run('INSERT INTO seat (row) VALUES (?)', 'A');
      await server.restart();
      await sql.run('INSERT INTO seat (row) VALUES (?)', 'B');
    });
    await expect(broken).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(errors).not.toEqual([]);
    expect(await sql.all('SELECT row FROM seat')).toEqual([]);
  });

  it('repeats statements and transactions while the server is away, if it is asked to, and gives up after a while', async () => {
    await migratePostgres(postgres());
    sql = await openPostgres({ ...postgres(), onError: () => undefined });
    const persistent = persistentSql(sql, { pauseMs: 20 });
    const runs: number[] = [];
    const changing = persistent.inTurn('seats', async () => {
      await persistent.run('INSERT INTO seat (row) VALUES (?)', 'A');
      if (runs.push(1) === 1) await server.crash();
      return persistent.run('INSERT INTO seat (row) VALUES (?)', 'B');
    });
    while (runs.length === 0) await wait(5);
    await wait(200);
    await expect(persistentSql(sql, { limitMs: 1, pauseMs: 1 }).get('SELECT 1')).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    });
    const reading = persistent.all('SELECT name FROM owner');
    await server.start();
    expect([await changing, await reading, runs.length]).toEqual([1, [], 2]);
    expect(await sql.all('SELECT row FROM seat ORDER BY id')).toEqual([{ row: 'A' }, { row: 'B' }]);
    await expect(persistent.all('SELECT nothing FROM seat')).rejects.toThrow('nothing');
  });

  it('waits for a server that is away when it opens a database, and says so once', async () => {
    await migratePostgres(postgres());
    await server.crash();
    await expect(openPostgres(postgres())).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    let waits = 0;
    const options = { pauseMs: 20, onWait: () => void (waits += 1) };
    const opening = untilAvailable(() => openPostgres({ ...postgres(), onError: () => undefined }), options);
    await wait(100);
    await server.start();
    sql = await opening;
    expect([await sql.isAvailable(), waits]).toEqual([true, 1]);
  });

  it('asks for TLS when the URL demands it, and does not connect without', async () => {
    await expect(
      migratePostgres({ ...postgres(), url: `${server.url}?sslmode=verify-full` }),
    ).rejects.toThrow(/SSL/);
  });
});
