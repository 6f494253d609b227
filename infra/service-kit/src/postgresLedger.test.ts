import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createPostgresLedger } from './postgresLedger.ts';
import { createRateLimits, type Exchange, type RateLedger } from './rateLimits.ts';
import { findPostgres, type PostgresServer, startPostgres } from './testing/postgresServer.ts';

const programs = findPostgres();
if (!programs) it.skip('skipped: no PostgreSQL', () => undefined);
else
  describe('the counts of shells in PostgreSQL', () => {
    let server: PostgresServer;
    let observer: pg.Client;
    let ledgers: RateLedger[];
    let at = 1_800_000_000_000;
    const open = (now = () => at): RateLedger => {
      const ledger = createPostgresLedger(server.url, now);
      ledgers.push(ledger);
      return ledger;
    };
    const share = (hits: number, key = 'a') => ({ key, hits, until: at + 60_000 });
    const rows = async () =>
      (await observer.query('SELECT key, hits FROM shell.rate_share ORDER BY key, hits')).rows;
    const connect = async () => {
      observer = new pg.Client({ connectionString: server.url });
      observer.on('error', () => undefined);
      await observer.connect();
    };
    beforeAll(async () => {
      server = await startPostgres(programs);
    }, 60_000);
    afterAll(() => server.stop());
    beforeEach(async () => {
      ledgers = [];
      await connect();
      await observer.query('DROP SCHEMA IF EXISTS shell CASCADE');
    });
    afterEach(async () => {
      await Promise.all(ledgers.map((ledger) => ledger.close()));
      await observer.end();
    });

    it('are created by the first of several shells that start at once', async () => {
      const all = Array.from({ length: 5 }, () => open());
      await Promise.all(all.map((ledger) => ledger.exchange([share(2)])));
      expect(await rows()).toEqual(Array.from({ length: 5 }, () => ({ key: 'a', hits: 2 })));
    });

    it('are the hits of all other shells, each by its last count', async () => {
      const [one, two, three] = [open(), open(), open()];
      expect(await one.exchange([share(3), share(1, 'b')])).toEqual(new Map());
      expect(await two.exchange([share(4)])).toEqual(new Map([['a', 3]]));
      await one.exchange([share(5)]);
      // The same again, as after a response that was lost.
      await one.exchange([share(5)]);
      expect(await three.exchange([share(1), share(1, 'c')])).toEqual(new Map([['a', 9]]));
    });

    it('are seen by at least one of two shells that write at the same time', async () => {
      const [one, two] = [open(), open()];
      for (let n = 1; n <= 30; n += 1) {
        const seen = await Promise.all([one.exchange([share(n)]), two.exchange([share(n)])]);
        expect(Math.max(...seen.map((hits) => hits.get('a') ?? 0))).toBe(n);
      }
    });

    it('are deleted after their window, so that the table does not grow', async () => {
      const ledger = open();
      for (let minute = 0; minute < 10; minute += 1) {
        for (let n = 0; n < 3; n += 1) await ledger.exchange([share(1, `${minute} ${n}`)]);
        at += 60_000;
      }
      expect((await rows()).length).toBeLessThanOrEqual(9);
    });

    it('survive a crash of the server, after which limits are shared again', async () => {
      const exchanges: Exchange[] = [];
      const limits = [0, 1].map(() =>
        createRateLimits({
          ledger: open(),
          now: () => at,
          everyMs: 2 ** 31 - 1,
          observe: (one) => exchanges.push(one),
        }),
      );
      const stores = limits.map((one) => one.store({ name: 'renders', windowMs: 60_000, limit: 100 }));
      const hits = async (replica: number, count: number) => {
        let last = 0;
        for (let n = 0; n < count; n += 1) last = (await stores[replica]!.increment('client')).totalHits;
        await limits[replica]!.exchange();
        return last;
      };
      await hits(0, 30);
      await server.crash();
      expect(await hits(0, 30)).toBe(60);
      expect(exchanges.at(-1)).toEqual({ error: expect.anything() });
      await server.start();
      await connect();
      await hits(0, 1);
      expect(exchanges.at(-1)).toEqual({ ms: expect.any(Number) });
      await hits(1, 1);
      expect(await hits(1, 1)).toBe(63);
    });

    it('reject when nothing listens', async () => {
      const ledger = createPostgresLedger('postgres://test@127.0.0.1:1/postgres');
      await expect(ledger.exchange([share(1)])).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      await ledger.close();
    });
  });
