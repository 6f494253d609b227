import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { S3Bucket } from '@forecourt/service-kit/bucket';
import { READ_ONLY_DISKS } from '@forecourt/service-kit/readOnlyDisks';
import { startS3TestServer } from '@forecourt/service-kit/s3Server';
import { findPostgres, freePort, startPostgres } from '@forecourt/service-kit/testing';
import sharp from 'sharp';
import { createInventoryWriter } from './inventory/store/inventoryWriter.ts';
import { openInventory } from './inventory/store/inventoryTables.ts';
import { readConfig } from './config.ts';
import { openStock, prepareStorage } from './openStorage.ts';
import { aListing, anOwner } from './testing/arbitraries.ts';

// Starts and kills the service many times.
jest.setTimeout(240_000);

const ACKNOWLEDGED = 200;
/** Random number of writes acknowledged before a kill, and ms between the last one and the kill. */
const ROUND = { least: 15, spread: 50, ms: 15 };
const IN_FLIGHT = 4;
const SERVER = join(import.meta.dirname, 'server.ts');

/** Makes the tables in PostgreSQL, and stores a listing and its owner. */
async function createStock(
  config: ReturnType<typeof readConfig>,
  { owner = anOwner(), listing = aListing() } = {},
) {
  await prepareStorage(config);
  const sql = await openStock(config);
  const writer = createInventoryWriter(sql);
  await writer.upsertOwners([owner]);
  await writer.upsertListings([listing], 'test');
  return { sql, writer };
}

describe('the service as a process', () => {
  let folder: string;
  let port: number;
  let running: ChildProcess | undefined;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'durability-'));
    const db = openInventory(join(folder, 'marketplace.sqlite'));
    const writer = createInventoryWriter(db);
    await writer.upsertOwners([anOwner()]);
    await writer.upsertListings([aListing()], 'test');
    await db.close();
    port = await freePort();
  });
  afterEach(async () => {
    if (running?.exitCode === null && running.signalCode === null) {
      running.kill('SIGKILL');
      await once(running, 'exit');
    }
    rmSync(folder, { recursive: true });
  });

  async function start(environment: Readonly<Record<string, string>> = {}): Promise<ChildProcess> {
    const child = spawn(process.execPath, [SERVER], {
      env: {
        ...process.env,
        DATA_DIR: folder,
        MARKETPLACE_API_PORT: String(port),
        LOG_LEVEL: 'silent',
        WRITE_LIMIT: '100000',
        ...environment,
      },
      stdio: 'ignore',
    });
    running = child;
    for (;;) {
      const ready = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
      if (ready?.ok) return child;
      if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
      await wait(20);
    }
  }

  const bodyOf = {
    'email-owner': (key: string) => ({
      listingId: '1000001',
      ownerId: 'o1',
      comments: key,
      firstName: 'Ada',
      lastName: 'Byron',
      fromEmailAddress: 'ada@example.com',
      idempotencyKey: key,
    }),
    'report-listing': (key: string) => ({
      listingId: '1000001',
      reason: 'SOLD',
      comments: key,
      idempotencyKey: key,
    }),
    'email-capture': (key: string) => ({ emailAddress: `${key}@example.com`, brand: 'atc' }),
  } as const;
  type Write = keyof typeof bodyOf;
  const WRITES = Object.keys(bodyOf) as Write[];

  it('keeps every acknowledged write after SIGKILL', async () => {
    const acknowledged: Record<Write, string[]> = {
      'email-owner': [],
      'report-listing': [],
      'email-capture': [],
    };
    const total = () => WRITES.reduce((sum, write) => sum + acknowledged[write].length, 0);
    let sent = 0;
    let kills = 0;
    while (total() < ACKNOWLEDGED) {
      const child = await start();
      const until = total() + ROUND.least + Math.floor(Math.random() * ROUND.spread);
      let killed: Promise<unknown> | undefined;
      const client = async () => {
        while (child.signalCode === null) {
          const write = WRITES[sent % WRITES.length]!;
          const key = `write-${++sent}-of-test`;
          try {
            const response = await fetch(`http://127.0.0.1:${port}/cars-for-sale/svc/${write}`, {
              method: 'POST',
              headers: { 'Content-Type': 'application/json' },
              body: JSON.stringify(bodyOf[write](key)),
            });
            if (response.ok) acknowledged[write].push(key);
            if (total() >= until) killed ??= wait(Math.random() * ROUND.ms).then(() => child.kill('SIGKILL'));
          } catch {
            // An unacknowledged write may or may not be stored.
            return;
          }
        }
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, client));
      await killed;
      if (child.signalCode === null) await once(child, 'exit');
      kills++;
    }
    expect(kills).toBeGreaterThan(1);

    await start();
    const db = new Database(join(folder, 'people.sqlite'), { readonly: true });
    const stored = (sql: string) => new Set(db.prepare<[], string>(sql).pluck().all());
    const leads = stored('SELECT idempotency_key FROM leads');
    const reports = stored('SELECT idempotency_key FROM reports');
    const captures = stored(`SELECT replace(email, '@example.com', '') FROM captures`);
    expect(acknowledged['email-owner'].filter((key) => !leads.has(key))).toEqual([]);
    expect(acknowledged['report-listing'].filter((key) => !reports.has(key))).toEqual([]);
    expect(acknowledged['email-capture'].filter((key) => !captures.has(key))).toEqual([]);
    // Every stored record has its email, and the other way around.
    const leadMails = db.prepare(`SELECT count(*) FROM mails WHERE kind = 'lead'`).pluck().get();
    expect(leadMails).toBe(leads.size);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
  });

  it('accepts tokens of an issuer with a path and a final slash, in its spelling only', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const keys = [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }];
    const issuer = createServer((request, response) => {
      response.setHeader('Content-Type', 'application/json');
      if (request.url === '/keys') response.end(JSON.stringify({ keys }));
      else if (request.url === '/application/o/site/.well-known/openid-configuration')
        response.end(JSON.stringify({ issuer: name, jwks_uri: `${new URL(name).origin}/keys` }));
      else response.writeHead(404).end('{}');
    }).listen(0, '127.0.0.1');
    await once(issuer, 'listening');
    const name = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/application/o/site/`;
    try {
      await start({ OIDC_ISSUER: name, OIDC_CLIENT_ID: 'site' });
      const statusFor = async (iss: string) => {
        const token = await new SignJWT({ sub: 'u1', iss, aud: 'site' })
          .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
          .setIssuedAt()
          .setExpirationTime('5m')
          .sign(privateKey);
        const headers = { Authorization: `Bearer ${token}` };
        return (await fetch(`http://127.0.0.1:${port}/account-api/data`, { headers })).status;
      };
      expect([await statusFor(name), await statusFor(name.slice(0, -1))]).toEqual([200, 401]);
    } finally {
      issuer.closeAllConnections();
      issuer.close();
    }
  });

  it('completes requests in flight before a graceful stop', async () => {
    const child = await start();
    const post = (path: string, body: object) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    await post('/__faults', { call: 'emailOwner', delayMs: 600 });
    const response = post('/cars-for-sale/svc/email-owner', bodyOf['email-owner']('last-words'));
    await wait(200);
    child.kill('SIGTERM');
    expect((await response).status).toBe(200);
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    const db = new Database(join(folder, 'people.sqlite'), { readonly: true });
    const found = db.prepare(`SELECT count(*) FROM leads WHERE idempotency_key = 'last-words'`).pluck().get();
    expect(found).toBe(1);
    db.close();
  });

  const bin = findPostgres();
  if (!bin) it.skip('skipped: no PostgreSQL', () => undefined);
  (bin ? it : it.skip)(
    'needs no data folder and no disk to write to with PostgreSQL: it serves what another process imports, and undoes it',
    async () => {
      const server = await startPostgres(bin!);
      // No file can be made there, whoever asks.
      const environment = { DATABASE_URL: server.url, DATA_DIR: '/dev/null/data', LOCAL_MODE: 'true' };
      const config = readConfig(environment);
      const count = async () => {
        const response = await fetch(`http://127.0.0.1:${port}/rest/lsc/listing/count`);
        return ((await response.json()) as { totalResultCount: number }).totalResultCount;
      };
      const until = async (expected: number) => {
        for (let attempt = 0; attempt < 100 && (await count()) !== expected; attempt += 1) await wait(50);
        expect(await count()).toBe(expected);
      };
      try {
        const { sql } = await createStock(config);
        await sql.close();
        const child = await start({ ...environment, NODE_OPTIONS: READ_ONLY_DISKS });
        expect(await count()).toBe(1);

        const rows = ['1FTFW1E50MFA00001,2021', '1FTFW1E59MFA00014,soon'].map(
          (row) => `${row},Ford,F-150,38000,60601`,
        );
        writeFileSync(join(folder, 'feed.csv'), ['vin,year,make,model,price,zip', ...rows].join('\n'));
        const fields = Object.fromEntries(
          ['vin', 'year', 'make', 'model', 'price', 'zip'].map((name) => [name, name]),
        );
        const mapping = { source: 'lake', fields: { ...fields, sellerName: { constant: 'Lake' } } };
        writeFileSync(join(folder, 'map.json'), JSON.stringify(mapping));
        const runImport = (...options: string[]) =>
          promisify(execFile)(
            process.execPath,
            ['--no-warnings', join(import.meta.dirname, 'import.ts'), ...options],
            {
              env: { ...process.env, ...environment, TMPDIR: folder },
            },
          );
        // It waits for PostgreSQL, and so does a page.
        await server.crash();
        const importing = runImport(join(folder, 'feed.csv'), '--map', join(folder, 'map.json'));
        const [waiting] = (await once(importing.child.stderr!, 'data')) as [Buffer];
        expect(String(waiting)).toBe('Waiting for PostgreSQL.\n');
        const response = fetch(`http://127.0.0.1:${port}/rest/lsc/listing?numRecords=1`);
        await wait(200);
        await server.start();
        expect((await response).status).toBe(200);
        const { stdout } = await importing;
        await until(2);
        // Rejected rows stay; everything else goes with the process.
        const rejected = /Rejected rows: (.*)/.exec(stdout)![1]!;
        expect(readFileSync(rejected, 'utf8')).toContain("year 'soon' is not a model year");
        const page = await fetch(`http://127.0.0.1:${port}/operators/imports`);
        const id = /href="\/operators\/imports\/(\d+)"/.exec(await page.text())![1]!;
        const undo = `http://127.0.0.1:${port}/operators/imports/${id}/undo`;
        const headers = { 'Sec-Fetch-Site': 'same-origin' };
        const undone = await fetch(undo, { method: 'POST', redirect: 'manual', headers });
        expect(undone.status).toBe(303);
        await until(1);
        child.kill('SIGTERM');
        expect(await once(child, 'exit')).toEqual([0, null]);
      } finally {
        running?.kill('SIGKILL');
        await server.stop();
      }
    },
  );

  (bin ? it : it.skip)(
    'finds changes of another process at once, and within a second while its notifications are lost',
    async () => {
      const server = await startPostgres(bin!);
      const environment = { DATABASE_URL: server.url, DATA_DIR: '/dev/null/data', LOCAL_MODE: 'true' };
      const config = readConfig(environment);
      try {
        const { sql, writer } = await createStock(config);
        await start(environment);
        let price = 40_000;
        /** ms until a change is found. */
        const change = async () => {
          price += 1;
          await writer.upsertListings([aListing({ salePrice: price, incentive: undefined })], 'test');
          const started = performance.now();
          const url = `http://127.0.0.1:${port}/rest/lsc/listing/count?minPrice=${price}&maxPrice=${price}`;
          for (;;) {
            const response = (await (await fetch(url)).json()) as { totalResultCount: number };
            if (response.totalResultCount === 1) return performance.now() - started;
            await wait(5);
          }
        };
        /** Times of five changes, each after the pause that follows the one before, the shortest first. */
        const timesOfChanges = async () => {
          const times: number[] = [];
          while (times.length < 5) {
            times.push(await change());
            await wait(700);
          }
          return times.sort((one, other) => one - other);
        };
        // Polling alone takes half a second; a busy machine delays one or two.
        const [, , median] = await timesOfChanges();
        expect(median).toBeLessThan(250);
        const LISTENERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`;
        let killed = 0;
        const killing = setInterval(
          () => void sql.all(LISTENERS).then(({ length }) => (killed += length)),
          20,
        );
        try {
          expect((await timesOfChanges()).at(-1)).toBeLessThan(1_000);
        } finally {
          clearInterval(killing);
        }
        expect(killed).toBeGreaterThan(1);
        await sql.close();
      } finally {
        running?.kill('SIGKILL');
        await server.stop();
      }
    },
  );

  (bin ? it : it.skip)(
    'shows photos and dealers’ pages that are in the bucket only, after the replica that fetched them has gone',
    async () => {
      const server = await startPostgres(bin!);
      const store = await startS3TestServer();
      const bytes = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#456' } })
        .jpeg()
        .toBuffer();
      const host = createServer((_, response) => void response.end(bytes)).listen(0, '127.0.0.1');
      await once(host, 'listening');
      const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
      const environment = {
        DATABASE_URL: server.url,
        DATA_DIR: '/dev/null/data',
        LOCAL_MODE: 'true',
        BUCKET: `s3://site/photos/?endpoint=${store.url}&pathStyle=true`,
        AWS_ACCESS_KEY_ID: 'key',
        AWS_SECRET_ACCESS_KEY: 'secret',
        INTERNAL_PHOTO_ORIGINS: origin,
      };
      const config = readConfig(environment);
      const url = `http://127.0.0.1:${port}`;
      try {
        const { sql } = await createStock(config, {
          owner: anOwner({ tagline: 'Own words' }),
          listing: aListing({ photoUrls: [`${origin}/1.jpg`] }),
        });
        await sql.close();
        const bucket = new S3Bucket({
          ...config.BUCKET!,
          credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
        });
        await bucket.put('content/dealer_diff/o1.html', '<p>From the bucket</p>');

        const first = await start({ ...environment, NODE_OPTIONS: READ_ONLY_DISKS });
        let photo: string | undefined;
        while (photo === undefined) {
          const page = await fetch(`${url}/rest/lsc/listing`);
          photo = /\/pictures\/photos\/[0-9a-f]{32}-\d+/.exec(await page.text())?.[0];
          await wait(50);
        }
        first.kill('SIGKILL');
        await once(first, 'exit');
        const second = await start({ ...environment, NODE_OPTIONS: READ_ONLY_DISKS });
        const shown = await fetch(url + photo);
        expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp']);
        expect(
          Buffer.from(await shown.arrayBuffer())
            .subarray(8, 12)
            .toString(),
        ).toBe('WEBP');
        const page = await fetch(`${url}/content/dealer_diff/o1.html`);
        expect(await page.text()).toBe('<p>From the bucket</p>');
        second.kill('SIGTERM');
        expect(await once(second, 'exit')).toEqual([0, null]);
      } finally {
        running?.kill('SIGKILL');
        host.close();
        await store.close();
        await server.stop();
      }
    },
  );
});
