import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Alarm } from './alarm.ts';
import { migratePostgres, openPostgres } from './postgresSql.ts';
import type { Sql } from './sql.ts';
import { findPostgres, type PostgresServer, startPostgres } from './testing/postgresServer.ts';
import { listenForTurns } from './turnListener.ts';

const programs = findPostgres();
if (!programs) it.skip('skipped: no PostgreSQL', () => undefined);

(programs ? describe : describe.skip)('listenForTurns', () => {
  let server: PostgresServer;
  let folder: string;
  let sql: Sql;
  let other: Sql;
  const closed: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    server = await startPostgres(programs!);
    folder = mkdtempSync(join(tmpdir(), 'turns-'));
    writeFileSync(join(folder, '001-seat.sql'), 'CREATE TABLE seat (row TEXT PRIMARY KEY) STRICT;');
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    const open = async (schema: string) => {
      const options = { url: server.url, schema, migrations: folder, maxConnections: 2 };
      await migratePostgres(options);
      const opened = await openPostgres(options);
      closed.push(opened.close);
      return opened;
    };
    sql = await open('one');
    other = await open('two');
  });
  afterEach(async () => {
    for (const close of closed.splice(0).reverse()) await close();
  });

  /** Counts the turns of `seats` in the schema `one`; the first one is the connect. */
  async function listen() {
    const heard = { turns: 0, errors: 0 };
    const listener = listenForTurns({
      url: `${server.url}?connections=3`,
      schema: 'one',
      turns: { seats: () => (heard.turns += 1), rows: () => undefined },
      onError: () => (heard.errors += 1),
    });
    closed.push(listener.close);
    await until(() => heard.turns === 1);
    return heard;
  }
  async function until(isTrue: () => boolean): Promise<void> {
    for (const deadline = Date.now() + 10_000; !isTrue(); await wait(5))
      if (Date.now() > deadline) throw new Error('it did not happen');
  }
  const take = (of: Sql, name = 'seats') => of.inTurn(name, () => Promise.resolve());
  const listeners = () =>
    sql.all<{ pid: number }>(`SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`);

  it('calls after each committed turn of its name and schema, and after no other', async () => {
    const heard = await listen();
    let isCommitted = false;
    const turn = sql.inTurn('seats', async () => {
      await wait(100);
      isCommitted = heard.turns === 1;
    });
    await turn;
    expect(isCommitted).toBe(true);
    await until(() => heard.turns === 2);
    await take(sql, 'rows');
    await take(other);
    await expect(sql.inTurn('seats', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    await take(sql);
    await until(() => heard.turns === 3);
    await wait(100);
    expect(heard).toEqual({ turns: 3, errors: 0 });
  });

  it('listens again when its connection was killed, and counts that as a turn', async () => {
    const heard = await listen();
    const [{ pid } = { pid: 0 }] = await listeners();
    await sql.all('SELECT pg_terminate_backend(?)', pid);
    await take(sql);
    await until(() => heard.turns === 2);
    expect(heard.errors).toBeGreaterThan(0);
    await take(sql);
    await until(() => heard.turns === 3);
  }, 20_000);

  it('listens again after a crash of the server', async () => {
    const heard = await listen();
    await server.crash();
    await wait(1_500);
    await server.start();
    await until(() => heard.turns === 2);
    await take(sql);
    await until(() => heard.turns === 3);
  }, 30_000);

  it('ends its connection when it is closed', async () => {
    await listen();
    expect(await listeners()).toHaveLength(1);
    await closed.pop()!();
    expect(await listeners()).toHaveLength(0);
  });
});

describe('Alarm', () => {
  const never = new AbortController().signal;
  const timed = async (pause: Promise<void>) => {
    const started = performance.now();
    await pause;
    return performance.now() - started;
  };

  it('ends the present pause, or the next one, and no later one', async () => {
    const alarm = new Alarm();
    const pause = timed(alarm.pause(5_000, never));
    alarm.ring();
    expect(await pause).toBeLessThan(1_000);
    alarm.ring();
    alarm.ring();
    expect(await timed(alarm.pause(5_000, never))).toBeLessThan(1_000);
    expect(await timed(alarm.pause(50, never))).toBeGreaterThanOrEqual(45);
  });

  it('pauses no longer than its signal', async () => {
    const stopping = new AbortController();
    const pause = timed(new Alarm().pause(5_000, stopping.signal));
    stopping.abort();
    expect(await pause).toBeLessThan(1_000);
  });
});
