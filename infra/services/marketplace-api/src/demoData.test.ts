import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '@forecourt/service-kit/testing';
import { searchResponseSchema } from '@forecourt/upstream/entities';

// Starts the service as an operator would.
jest.setTimeout(120_000);

const SOURCES = import.meta.dirname;
const READY_WITHIN_MS = 60_000;

describe('the API with DEMO_DATA=false', () => {
  let folder: string;
  let environment: Record<string, string>;
  let origin: string;
  let server: ChildProcess;

  const run = (script: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [join(SOURCES, script), ...args], { env: environment });
  const get = (path: string) => fetch(origin + path);
  const search = async (query: string) =>
    searchResponseSchema.parse(await (await get(`/rest/lsc/listing?${query}`)).json());

  async function until<Value>(read: () => Promise<Value | undefined>): Promise<Value> {
    const end = Date.now() + READY_WITHIN_MS;
    for (;;) {
      const value = await read().catch(() => undefined);
      if (value !== undefined) return value;
      if (Date.now() > end) throw new Error('The API did not get there in time');
      await wait(100);
    }
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'without-demo-data-'));
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    environment = {
      ...(process.env as Record<string, string>),
      DEMO_DATA: 'false',
      DATA_DIR: folder,
      MARKETPLACE_API_PORT: String(port),
      LOG_LEVEL: 'silent',
    };
    await run('seed.ts');
    server = spawn(process.execPath, [join(SOURCES, 'server.ts')], { env: environment, stdio: 'inherit' });
    await until(async () => ((await get('/health/ready')).ok ? true : undefined));
  });
  afterAll(async () => {
    if (server.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    rmSync(folder, { recursive: true });
  });

  it('returns empty results for every search while the inventory is empty', async () => {
    const results = await search('makeCode=FORD&zip=60601&searchRadius=50');
    expect(results).toMatchObject({ totalResultCount: 0, listings: [], owners: [] });
    expect(results.filters.length).toBeGreaterThan(0);
    expect(await (await get('/rest/lsc/listing/count')).json()).toEqual({ totalResultCount: 0 });
    expect(await (await get('/cars-for-sale/svc/zip/60601')).json()).toMatchObject({ city: 'Chicago' });
  });

  it('returns no catalog, content, ads or pictures without demo data', async () => {
    expect(await (await get('/rest/lsc/reference/slugs')).json()).toEqual({ makes: [] });
    expect(await (await get('/rest/lsc/modelinfo/ymm?makeCode=FORD&modelCode=F150')).json()).toEqual({
      models: [],
    });
    expect(await (await get('/content/static/json/atc/cpo/certifiedcontent.json')).json()).toEqual([]);
    expect(await (await get('/ads/slot?slot=top&size=300x250')).json()).toEqual({ empty: true });
    expect((await get('/pictures/sedan/blue/side.svg')).status).toBe(404);
    expect((await get('/cars-for-sale/kbbresearch/specs/2021.FORD.F150.xlt.0')).status).toBe(404);
    expect(await (await get('/expert-reviews/2021/ford/f150/all')).json()).toEqual([]);
  });

  it('finds imported vehicles under the names in the feed', async () => {
    const feed = join(folder, 'stock.csv');
    const map = join(folder, 'stock.map.json');
    writeFileSync(
      feed,
      'vin,year,make,model,price,dealer,zip\n1FTFW1E50MFA00001,2021,Ford,F-150,38000,Lake Motors,60601\n',
    );
    const fields = {
      vin: 'vin',
      year: 'year',
      make: 'make',
      model: 'model',
      price: 'price',
      sellerName: 'dealer',
      zip: 'zip',
    };
    writeFileSync(map, JSON.stringify({ source: 'lakeside', fields }));
    await run('import.ts', feed, '--map', map);

    const [found] = await until(async () => {
      const { listings } = await search('makeCode=FORD&modelCode=F150&zip=60601&searchRadius=50');
      return listings.length > 0 ? listings : undefined;
    });
    expect(found).toMatchObject({
      vin: '1FTFW1E50MFA00001',
      title: '2021 Ford F-150',
      images: { sources: [] },
      pricingDetail: { salePrice: 38_000 },
    });
    expect((await get(`/rest/lsc/listing/${found!.id}`)).status).toBe(200);
    expect(await (await get('/rest/lsc/reference/slugs')).json()).toMatchObject({
      makes: [{ code: 'FORD' }],
    });
  });
});

describe('the demo data package', () => {
  it('is imported by no source, only loaded by its configured name', () => {
    const importers = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) =>
        /from '[^']*demo-data|import\([^)]*demo-data/.test(readFileSync(join(SOURCES, file), 'utf8')),
      );
    expect(importers).toEqual([]);
  });
});
