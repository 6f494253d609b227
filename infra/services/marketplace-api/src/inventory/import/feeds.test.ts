import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { startTestApp } from '../../testing/testApp.ts';
import { createLease } from '@forecourt/service-kit/lease';
import { openInventory } from '../store/inventoryTables.ts';
import { createFeedRuns } from '../store/importLog.ts';
import { readPreview } from './preview.ts';
import { BUSY, createFeedSchedule, fetchFeed, isDue, readFeeds } from './feeds.ts';

const MAPPING = {
  source: 'lakeside',
  fields: { vin: 'vin', year: 'year', make: 'make', model: 'model', price: 'price' },
};
const CSV = 'vin,year,make,model,price\n1FTFW1E50MFA00001,2021,Ford,F-150,38000\n';
const DEALER = { sellerName: 'Lakeside Ford', city: 'Chicago', state: 'IL' };
const HOUR = 3_600_000;

let folder: string;
let server: Server | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'feeds-'));
  writeFileSync(join(folder, 'map.json'), JSON.stringify(MAPPING));
});
afterEach(async () => {
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
  rmSync(folder, { recursive: true });
});

const writeFeeds = (feed: object, name = 'lakeside') => {
  const path = join(folder, 'feeds.json');
  const feeds = { [name]: { from: 'stock.csv', map: 'map.json', dealer: DEALER, ...feed } };
  writeFileSync(path, JSON.stringify({ feeds }));
  return path;
};
async function serve(status: number, body: string, seen: string[] = []): Promise<string> {
  server = createServer((request, response) => {
    seen.push(`${request.url}`);
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
async function previewOf(source: string) {
  const db = openInventory(join(folder, 'marketplace.sqlite'));
  const preview = await readPreview(db, source);
  await db.close();
  return preview;
}
const feedOf = (feed: object) => readFeeds(writeFeeds(feed))[0]!;

describe('the file of feeds', () => {
  it('adds the dealer to the fields that the mapping leaves out, and finds files beside it', () => {
    const feed = feedOf({ schedule: '15 */4 * * *', timeZone: 'America/Chicago' });
    expect(feed).toMatchObject({ name: 'lakeside', from: join(folder, 'stock.csv'), expireMissing: true });
    expect(feed.mapping?.fields).toMatchObject({ vin: 'vin', sellerName: { constant: 'Lakeside Ford' } });
  });

  it.each([
    [{ schedule: 'daily' }, /must be a cron expression/],
    [{ schedule: '61 * * * *' }, /must be a cron expression/],
    [{ timeZone: 'Chicago' }, /must be a time zone/],
    [{ from: 'http://feeds.example/a.csv', authorization: 'TOKEN' }, /over https only/],
    [{ dealer: { vin: 'x' } }, /dealer/],
    [{ map: 'feeds.json' }, /feeds\.json is not a valid mapping/],
    [{ interval: 5 }, /interval/],
  ])('is refused with %j', (feed, message) => {
    expect(() => feedOf(feed)).toThrow(message);
  });

  it("is refused when a feed's name is not the source of its mapping", () => {
    expect(() => readFeeds(writeFeeds({}, 'other'))).toThrow(/has the source 'lakeside', not 'other'/);
  });
});

describe('a feed with a URL', () => {
  it('is downloaded into a folder, and a failed download leaves the file of before', async () => {
    const origin = await serve(200, CSV);
    const path = await fetchFeed(feedOf({ from: `${origin}/stock.csv?key=1` }), join(folder, 'down'));
    expect(path).toBe(join(folder, 'down', 'lakeside.csv'));
    server?.close();
    const broken = await serve(500, 'oops');
    await expect(
      fetchFeed(feedOf({ from: `${broken}/stock.csv` }), join(folder, 'down')),
    ).rejects.toMatchObject({
      code: 'FEED',
      message: `${broken}/stock.csv responded with 500`,
    });
    expect(readFileSync(path, 'utf8')).toBe(CSV);
  });

  it.each([0o000, 0o022])('is stored for its owner only, with the umask %o', async (mask) => {
    const origin = await serve(200, CSV);
    const umask = process.umask(mask);
    const path = await fetchFeed(feedOf({ from: `${origin}/stock.csv` }), join(folder, 'data/feeds'));
    process.umask(umask);
    const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
    expect(modeOf(path)).toBe('600');
    expect(['data', 'data/feeds'].map((name) => modeOf(join(folder, name)))).toEqual(['700', '700']);
  });

  it('is not requested without the secret that it names', async () => {
    const feed = feedOf({ from: 'https://feeds.example/a.csv', authorization: 'NO_SUCH_VARIABLE' });
    await expect(fetchFeed(feed, folder)).rejects.toThrow('NO_SUCH_VARIABLE is not set');
  });
});

describe('the schedule', () => {
  const at = (text: string) => Date.parse(text);
  const nightly = { schedule: '30 2 * * *', timeZone: 'America/Chicago' };

  it.each([
    ['never imported', undefined, '2026-11-10T12:00:00Z', true],
    // 2:30 in Chicago is 8:30 UTC in winter.
    ['before the time', '2026-11-09T09:00:00Z', '2026-11-10T08:29:00Z', false],
    ['after the time', '2026-11-09T09:00:00Z', '2026-11-10T08:30:00Z', true],
    ['imported since', '2026-11-10T08:30:05Z', '2026-11-10T12:00:00Z', false],
    ['missed while the service was down', '2026-11-01T09:00:00Z', '2026-11-10T01:00:00Z', true],
    ['in summer', '2026-07-09T09:00:00Z', '2026-07-10T07:30:00Z', true],
  ])('of a feed that was %s', (_, lastStart, now, isNow) => {
    expect(isDue(nightly, lastStart === undefined ? undefined : at(lastStart), at(now))).toBe(isNow);
  });

  it('never makes a feed due that has none', () => {
    expect(isDue({ timeZone: 'UTC' }, undefined, Date.now())).toBe(false);
  });

  const writeHourly = (names: readonly string[]) => {
    const feeds = Object.fromEntries(
      names.map((name) => {
        writeFileSync(join(folder, `${name}.json`), JSON.stringify({ ...MAPPING, source: name }));
        return [name, { from: 'stock.csv', map: `${name}.json`, schedule: '0 * * * *' }];
      }),
    );
    const path = join(folder, 'feeds.json');
    writeFileSync(path, JSON.stringify({ feeds }));
    return path;
  };

  it('imports the due feeds one after the other, but none that another process imports', async () => {
    const path = writeHourly(['a', 'b', 'c', 'd']);
    const now = at('2026-11-10T12:00:00Z');
    const events: string[] = [];
    const run = createFeedSchedule({
      path,
      runs: {
        last: (name) =>
          Promise.resolve(name === 'b' ? { startedAt: now - HOUR / 2 + HOUR, unfinished: 0 } : undefined),
      },
      logger: pino({ level: 'silent' }),
      now: () => now,
      async importFeed(name) {
        events.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        events.push(`${name} ends`);
        return name === 'c' ? BUSY : 0;
      },
    });
    expect(await run(new AbortController().signal)).toBe(2);
    expect(events).toEqual(['a begins', 'a ends', 'c begins', 'c ends', 'd begins', 'd ends']);
    expect(await run(AbortSignal.abort())).toBe(0);
  });

  it('imports a feed again at once whose import was interrupted, unless that has happened three times in a row', async () => {
    const now = at('2026-11-10T12:30:00Z');
    const unfinished: Record<string, number> = { a: 0, b: 1, c: 3, d: 4 };
    const imported: string[] = [];
    const run = createFeedSchedule({
      path: writeHourly(Object.keys(unfinished)),
      runs: { last: (name) => Promise.resolve({ startedAt: now - 60_000, unfinished: unfinished[name]! }) },
      logger: pino({ level: 'silent' }),
      now: () => now,
      importFeed(name) {
        imported.push(name);
        return Promise.resolve(0);
      },
    });
    expect(await run(new AbortController().signal)).toBe(2);
    expect(imported).toEqual(['b', 'c']);
  });
});

describe('npm run inventory:import', () => {
  const run = (...args: string[]) =>
    new Promise<{ status: number; output: string }>((resolve) => {
      const env = {
        ...process.env,
        DATA_DIR: folder,
        DEMO_DATA: 'false',
        FEEDS_FILE: join(folder, 'feeds.json'),
      };
      execFile(
        process.execPath,
        [join(import.meta.dirname, '../../import.ts'), ...args],
        { env },
        (error, out, problems) => resolve({ status: Number(error?.code ?? 0), output: out + problems }),
      );
    });

  it('imports a named feed, and lists what became of each import', async () => {
    writeFeeds({});
    writeFileSync(join(folder, 'stock.csv'), CSV);
    const first = await run('--feed', 'lakeside');
    expect(first.status).toBe(0);
    expect(first.output).toContain('1 inserted');
    writeFileSync(join(folder, 'stock.csv'), 'nothing\nto see\n');
    const refused = await run('--feed', 'lakeside');
    expect(refused.status).toBe(1);
    expect(refused.output).toMatch(
      /Columns found: nothing\.[\s\S]*Rejected rows: .*stock\.csv\.rejected\.csv/,
    );
    const { output } = await run('--runs', 'lakeside');
    const [header, failed, imported] = output.split(/\n(?=source|lakeside)/);
    expect(header).toBe('source,started,finished,status,report');
    expect(failed).toMatch(/^lakeside,[^,]+,[^,]+,failed,"No row of /);
    expect(imported).toMatch(/^lakeside,[^,]+,[^,]+,imported,"1 rows read/);
  }, 120_000);

  it('removes all listings of a source, and records that; an undo or another import brings them back', async () => {
    writeFeeds({});
    writeFileSync(join(folder, 'stock.csv'), CSV);
    await run('--feed', 'lakeside');
    const live = () => {
      const db = new Database(join(folder, 'marketplace.sqlite'));
      const found = db.prepare('SELECT count(*) FROM listings WHERE removed_at IS NULL').pluck().get();
      db.close();
      return found;
    };
    expect(await run('--remove', 'lakeside')).toEqual({ status: 0, output: '1 listings removed.\n' });
    expect(live()).toBe(0);
    expect((await run('--remove', 'lakeside')).status).toBe(1);
    expect((await run('--undo', 'lakeside')).status).toBe(0);
    expect(live()).toBe(1);
    await run('--remove', 'lakeside');
    expect((await run('--feed', 'lakeside')).status).toBe(0);
    expect(live()).toBe(1);
    const { output } = await run('--runs', 'lakeside');
    expect([...output.matchAll(/Z,(\w+),/g)].map(([, status]) => status)).toEqual([
      'imported',
      'removed',
      'undone',
      'removed',
      'imported',
    ]);
  }, 120_000);

  it('stores with its run what an import counted, and which rows it refused', async () => {
    writeFeeds({});
    writeFileSync(join(folder, 'stock.csv'), `${CSV}1FTFW1E50MFA00002,soon,Ford,F-150,38000\n`);
    await run('--feed', 'lakeside');
    const db = openInventory(join(folder, 'marketplace.sqlite'));
    const [latest] = await createFeedRuns(db).latest();
    await db.close();
    expect(JSON.parse(latest!.details!)).toMatchObject({
      seconds: expect.any(Number),
      counts: { read: 2, accepted: 1, rejected: 1, inserted: 1 },
      rejects: [{ line: 3, reason: "year 'soon' is not a model year" }],
    });
  }, 120_000);

  it('previews what the import of a named feed would do with each listing, and writes none', async () => {
    const mapping = { ...MAPPING, photoHosts: ['*.photos.example'] };
    const fields = { ...MAPPING.fields, photoUrls: 'photos' };
    writeFileSync(join(folder, 'map.json'), JSON.stringify({ ...mapping, fields }));
    writeFeeds({});
    const rows = (...lines: string[]) =>
      writeFileSync(join(folder, 'stock.csv'), ['vin,year,make,model,price,photos', ...lines, ''].join('\n'));
    rows('1FTFW1E50MFA00001,2021,Ford,F-150,38000,', '1FTFW1E59MFA00014,2021,Ford,F-150,41000,');
    expect((await run('--feed', 'lakeside')).status).toBe(0);
    rows(
      '1FTFW1E50MFA00001,2021,Ford,F-150,36500,',
      '1FTFW1E52MFA00002,2021,Ford,F-150,40000,https://a.photos.example/1.jpg',
      '1FTFW1E54MFA00003,soon,Ford,F-150,39000,',
    );
    expect((await run('--feed', 'lakeside', '--preview')).status).toBe(0);
    const { result } = (await previewOf('lakeside'))!;
    expect(result).toMatchObject({
      kind: 'read',
      report: expect.stringContaining('Would be: 1 inserted, 1 updated, 1 expired') as unknown,
      details: { rejects: [{ line: 4, reason: "year 'soon' is not a model year" }] },
      photoHosts: ['*.photos.example'],
      samples: {
        inserted: [{ vin: '1FTFW1E52MFA00002', photo: 'https://a.photos.example/1.jpg' }],
        updated: [{ vin: '1FTFW1E50MFA00001', changes: [{ label: 'Price', before: '38,000' }] }],
        missing: [{ vin: '1FTFW1E59MFA00014' }],
      },
    });
    const db = openInventory(join(folder, 'marketplace.sqlite'));
    expect(await db.all('SELECT id FROM listings WHERE removed_at IS NULL')).toHaveLength(2);
    expect(await createFeedRuns(db).list()).toHaveLength(1);
    await db.close();
    writeFileSync(join(folder, 'stock.csv'), 'nothing\nto see\n');
    expect((await run('--feed', 'lakeside', '--preview')).status).toBe(1);
    expect((await previewOf('lakeside'))?.result).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('No row of') as unknown,
      columns: [{ name: 'nothing', sample: 'to see', fields: [] }],
    });
  }, 120_000);

  it('proposes a mapping for a named feed without one, saves it when told to, and imports with it', async () => {
    const MISSING = { map: 'new.map.json' };
    const saved = join(folder, 'new.map.json');
    writeFeeds(MISSING);
    writeFileSync(join(folder, 'stock.csv'), CSV);
    const early = await run('--feed', 'lakeside');
    expect(early.status).toBe(1);
    expect(early.output).toMatch(/new\.map\.json does not exist\. Preview the feed/);
    expect((await run('--feed', 'lakeside', '--preview')).status).toBe(0);
    expect((await previewOf('lakeside'))?.result).toMatchObject({
      kind: 'proposed',
      path: saved,
      isComplete: true,
      notes: expect.arrayContaining([expect.stringContaining('mileage: no column found')]) as unknown,
      columns: expect.arrayContaining([
        { name: 'vin', sample: '1FTFW1E50MFA00001', fields: [{ field: 'vin', sure: 1 }] },
      ]) as unknown,
    });
    expect(existsSync(saved)).toBe(false);

    // A mapping that somebody has written meanwhile stays.
    symlinkSync('nowhere/map.json', saved);
    expect((await run('--feed', 'lakeside', '--save-mapping')).output).toContain("can't be saved");
    expect((await previewOf('lakeside'))?.result).toMatchObject({
      kind: 'proposed',
      problem: expect.stringContaining('Save it there by hand') as unknown,
    });
    rmSync(saved);

    const saving = await run('--feed', 'lakeside', '--save-mapping');
    expect(saving.status).toBe(0);
    expect(JSON.parse(readFileSync(saved, 'utf8'))).toMatchObject({
      source: 'lakeside',
      fields: { vin: 'vin', price: 'price' },
    });
    // At once, what an import with it would do.
    expect((await previewOf('lakeside'))?.result).toMatchObject({
      kind: 'read',
      details: { counts: { inserted: 1 } },
    });
    expect((await run('--feed', 'lakeside')).status).toBe(0);
    expect((await run('--feed', 'lakeside', '--save-mapping')).output).toContain(
      'has not proposed a complete mapping',
    );
  }, 120_000);

  it('gives way to an import that is running', async () => {
    writeFeeds({});
    writeFileSync(join(folder, 'stock.csv'), CSV);
    const db = openInventory(join(folder, 'marketplace.sqlite'));
    const running = createLease(db, 'import lakeside');
    await running.hold();
    expect(await run('--feed', 'lakeside')).toEqual({ status: BUSY, output: 'Another import is running.\n' });
    await running.release();
    await db.close();
    expect((await run('--feed', 'lakeside')).status).toBe(0);
  }, 120_000);
});

describe('runs of feeds', () => {
  it('are metrics, with the photos that feeds name', async () => {
    const app = await startTestApp({ owners: [], listings: [] });
    try {
      await (
        await createFeedRuns(app.db, () => 5_000).begin('lakeside')
      )('held', 'HELD');
      await app.db.run(
        "INSERT INTO photo_urls (url, source, due_at) VALUES ('https://a.example/1.jpg', 'lakeside', 0)",
      );
      const metrics = await (await app.get('/metrics')).text();
      expect(metrics).toContain(
        'marketplace_feed_started_timestamp_seconds{feed="lakeside",status="held"} 5\n',
      );
      expect(metrics).toContain('marketplace_photos{state="pending"} 1\n');
      expect(metrics).toContain('marketplace_photos{state="failed"} 0\n');
    } finally {
      await app.stop();
    }
  });

  it('are limited per source, the newest first', async () => {
    const db = openInventory(join(folder, 'marketplace.sqlite'));
    let time = 0;
    const runs = createFeedRuns(db, () => (time += 1));
    await (
      await runs.begin('other')
    )('held', 'HELD');
    for (let count = 0; count < 102; count += 1)
      await (
        await runs.begin('lakeside')
      )('imported', `run ${count}`);
    await runs.begin('lakeside');
    const [newest, before] = await runs.list('lakeside');
    expect(newest).toMatchObject({ status: null, finishedAt: null });
    expect(before).toMatchObject({ status: 'imported', report: 'run 101' });
    expect(await runs.list('lakeside')).toHaveLength(100);
    expect((await runs.latest()).map(({ source, status }) => [source, status])).toEqual([
      ['lakeside', null],
      ['other', 'held'],
    ]);
    expect(await runs.last('lakeside')).toEqual({ startedAt: newest!.startedAt, unfinished: 1 });
    await runs.begin('lakeside');
    expect(await runs.last('lakeside')).toMatchObject({ unfinished: 2 });
    expect(await runs.last('other')).toMatchObject({ unfinished: 0 });
    expect(await runs.last('nobody')).toBeUndefined();
    await db.close();
  });
});
