import { parse as parseCsv } from 'csv-parse/sync';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { createInventoryWriter } from '../store/inventoryWriter.ts';
import { openInventory } from '../store/inventoryTables.ts';
import { createDryRunWriter } from '../store/importMemory.ts';
import { NothingToImport, type ImportProgress } from './importFeed.ts';
import type { InventoryWriter } from './rowImport.ts';
import { mappingSchema, BrokenFeed } from './mapping.ts';
import { createMarket, importText, MAPPING } from './testing/importText.ts';
import { createProgressBar, csvCell, progressText, createRejectFile } from './reporting.ts';

const folder = mkdtempSync(join(tmpdir(), 'feed-'));
afterAll(() => rmSync(folder, { recursive: true }));
const mapping = MAPPING;
const HEADER = 'VIN,Stock,Year,Make,Model,Price,Miles,Dealer,Zip';

describe('importing a feed', () => {
  it("creates a listing with its seller and the catalog's facts", async () => {
    const { listings, market } = await importText(
      `${HEADER}\n1FTFW1ED5MFA00001,A1,2021,Ford,F-150 Raptor,"$69,900","35,115 mi",Ace Ford,60601\n`,
    );
    expect(listings[0]).toMatchObject({
      vin: '1FTFW1ED5MFA00001',
      stockNumber: 'A1',
      year: 2021,
      make: { code: 'FORD' },
      model: { code: 'F150', name: 'F-150' },
      trim: { code: 'F150|Raptor' },
      bodyStyle: 'TRUCKS',
      salePrice: 69_900,
      mileage: 35_115,
      listingType: 'USED',
    });
    expect([...market.owners.values()]).toMatchObject([
      { name: 'Ace Ford', city: 'Chicago', state: 'IL', dma: '602', sellerType: 'd' },
    ]);
  });

  it('rejects a bad row with its line and reason and imports the others', async () => {
    const { summary, rejects } = await importText(
      [
        HEADER,
        ',A1,2021,Ford,Escape,20000,1,,',
        ',A2,banana,Ford,Escape,20000,1,,',
        '',
        ',A3,1021,Ford,Escape,1,1,,',
        ',A4,2021,Ford,,1,1,,',
        ',A5,2020,Ford,Edge,1500,9,,',
      ].join('\n'),
    );
    expect(summary).toMatchObject({ read: 5, accepted: 2, rejected: 3, inserted: 2 });
    expect(rejects.map(({ line, reason }) => [line, reason])).toEqual([
      [3, "year 'banana' is not a model year"],
      [5, "year '1021' is not a model year"],
      [6, 'model is missing'],
    ]);
  });

  it('changes nothing when the same feed is imported twice', async () => {
    const feed = `${HEADER}\n1FTFW1ED5MFA00001,,2021,Ford,F-150 XLT,40000,9000,,\n,B7,2020,Honda,Civic LX,18000,30000,,\n,,2020,Honda,Civic LX,18000,30001,,\n`;
    const { market, summary } = await importText(feed);
    const first = new Map(market.listings);
    const again = await importText(feed, market);
    expect(summary.recognizedBy).toEqual({ vin: 1, stockNumber: 1, description: 1 });
    expect(again.summary.inserted).toBe(0);
    expect(market.listings).toEqual(first);
  });

  it('imports every one of several identically described cars', async () => {
    const row = ',,2026,Ford,F-150 XLT,45000,4,,\n';
    const { market } = await importText(`${HEADER}\n${row}${row}${row}`);
    expect(market.listings.size).toBe(3);
    expect(new Set([...market.listings.values()].map((listing) => listing.vin)).size).toBe(3);
  });

  it('keeps the first listing day and the price before a reduction', async () => {
    const { market } = await importText(`${HEADER}\n,A1,2021,Ford,Escape,20000,1000,,\n`);
    const later = new Date('2026-12-01T00:00:00Z');
    const { listings } = await importText(`${HEADER}\n,A1,2021,Ford,Escape,"18,500",1000,,\n`, market, {
      today: later,
    });
    expect(listings[0]).toMatchObject({
      salePrice: 18_500,
      previousPrice: 20_000,
      reducedOn: 20_788,
      listedOn: 20_778,
    });
  });

  it('records each change of a price, once per day, and keeps the first price', async () => {
    const row = (price: number) => `${HEADER}\n,A1,2021,Ford,Escape,${price},1000,,\n`;
    const { market, listings: first } = await importText(row(20_000));
    expect(first[0]).not.toHaveProperty('prices');
    let stored = first[0]!;
    for (const [day, price] of [
      [1, 19_000],
      [1, 18_500],
      [2, 18_500],
      [3, 19_500],
    ] as const) {
      const today = new Date(Date.UTC(2026, 11, day));
      stored = (await importText(row(price), market, { today })).listings[0] ?? stored;
    }
    expect(stored.prices).toEqual([
      [20_778, 20_000],
      [20_788, 18_500],
      [20_790, 19_500],
    ]);
    // A higher price isn't a reduction.
    expect(stored).not.toHaveProperty('previousPrice');
  });

  it('expires missing listings only on request', async () => {
    const { market } = await importText(
      `${HEADER}\n,A1,2021,Ford,Escape,1500,1,,\n,A2,2021,Ford,Edge,1600,1,,\n`,
    );
    const shorter = `${HEADER}\n,A1,2021,Ford,Escape,1500,1,,\n`;
    await importText(shorter, market);
    expect(market.listings.size).toBe(2);
    const { summary } = await importText(shorter, market, { expireMissing: true });
    expect([summary.expired, market.listings.size]).toEqual([1, 1]);
  });

  it('expires nothing when the feed has no readable row', async () => {
    const { market } = await importText(`${HEADER}\n,A1,2021,Ford,Escape,1500,1,,\n`);
    await expect(importText(`${HEADER}\n`, market, { expireMissing: true })).rejects.toThrow(NothingToImport);
    expect(market.listings.size).toBe(1);
  });

  it.each([
    ['UTF-8 with a byte order mark', 'utf-8', { addBOM: true }],
    ['Windows-1252 without a byte order mark', 'windows-1252', {}],
    ['UTF-16 with a byte order mark', 'utf-16le', { addBOM: true }],
  ])('detects the encoding %s', async (_name, encoding, options) => {
    const { market } = await importText(
      iconv.encode(`${HEADER}\n,A1,2021,Ford,Escape,1500,1,Café Motörs,60601\n`, encoding, options),
    );
    expect([...market.owners.values()][0]?.name).toBe('Café Motörs');
  });

  it('reads JSON Lines and rejects a malformed line', async () => {
    const { summary, listings, rejects } = await importText(
      '{"VIN":"1FTFW1ED5MFA00001","Year":2021,"Make":"Ford","Model":"Edge","Price":25000,"Miles":40000}\n{oops\n[1]\n',
      createMarket(),
      { extension: 'jsonl' },
    );
    expect(summary).toMatchObject({ accepted: 1, rejected: 2 });
    expect(listings[0]).toMatchObject({ salePrice: 25_000, mileage: 40_000 });
    expect(rejects.map(({ line }) => line)).toEqual([2, 3]);
  });

  it('stops at an unclosed quote and expires nothing', async () => {
    const { market } = await importText(`${HEADER}\n,A1,2021,Ford,Edge,1,1,,\n,A2,2021,Ford,Edge,1,1,,\n`);
    const broken = `${HEADER}\n,A1,2021,Ford,Edge,1,1,,\n,A3,2021,Ford,"Edge,1,1,,\n,A2,2021,Ford,Edge,1,1,,\n`;
    await expect(importText(broken, market, { expireMissing: true })).rejects.toThrow(
      'Unclosed quote after line 2',
    );
    expect(market.listings.size).toBe(2);
    // The rest of the line is never buffered, whatever its length.
    const endless = `${HEADER}\n,A1,2021,Ford,"Edge,1,1,,\n${',A2,2021,Ford,Edge,1,1,,\n'.repeat(60_000)}`;
    await expect(importText(endless, market)).rejects.toThrow(BrokenFeed);
  });

  it('rejects an overlong line of JSON', async () => {
    const good = '{"VIN":"1FTFW1ED5MFA00001","Year":2021,"Make":"Ford","Model":"Edge"}';
    const { rejects, summary } = await importText(
      `${good}\n{"Year":"${'9'.repeat(2_500_000)}"}\n${good}\r\n`,
      createMarket(),
      { extension: 'jsonl' },
    );
    expect(summary).toMatchObject({ accepted: 2, rejected: 1 });
    expect(rejects[0]).toMatchObject({ line: 2, reason: 'is longer than 1,000,000 characters' });
    expect(rejects[0]?.row).toHaveLength(200);
  });

  it('reports the progress of an import', async () => {
    const updates: ImportProgress[] = [];
    await importText(`${HEADER}\n${',A1,2021,Ford,Edge,1,1,,\n'.repeat(2500)}`, createMarket(), {
      onProgress: (progress) => updates.push(progress),
    });
    expect(updates.map(({ rows }) => rows)).toEqual([1000, 2000, 2500]);
    expect(updates.at(-1)?.bytes).toBe(updates.at(-1)?.totalBytes);
  });

  it('reports mapped columns that the feed lacks', async () => {
    const { summary } = await importText('Year,Make,Model,Price\n2021,Ford,Escape,1500\n');
    expect(summary.missingColumns).toEqual(['VIN', 'Stock', 'Miles', 'Dealer', 'Zip']);
  });

  it.each([
    ['2134', '', 'Allston, MA 02134'],
    ['2134.0', 'Massachusetts', 'Allston, MA 02134'],
    ['02134-1001', 'ma', 'Allston, MA 02134'],
    ['606011234', 'illinois', 'Chicago, IL 60601'],
  ])('finds the place of ZIP code %j in state %j', async (zip, state, place) => {
    const { market, rejects } = await importText(
      `Year,Make,Model,Zip,State\n2021,Ford,Edge,${zip},${state}\n`,
      createMarket(),
      { mapping: { ...mapping, fields: { ...mapping.fields, state: 'State' } } },
    );
    expect(rejects).toEqual([]);
    expect([...market.owners.values()].map((owner) => `${owner.city}, ${owner.state} ${owner.zip}`)).toEqual([
      place,
    ]);
  });

  it.each([
    ['www.lakeside.example', 'https://www.lakeside.example'],
    ['lakeside.example/cars?x=1', 'https://lakeside.example/cars?x=1'],
    ['http://lakeside.example', 'http://lakeside.example'],
    ['sales@lakeside.example', undefined],
    ['javascript:alert(1)', undefined],
    ['ftp://lakeside.example', undefined],
    ['N/A', undefined],
  ])('links the website %j as %s', async (text, website) => {
    const { market } = await importText(`Year,Make,Model,Site\n2021,Ford,Edge,${text}\n`, createMarket(), {
      mapping: { ...mapping, fields: { ...mapping.fields, sellerWebsite: 'Site' } },
    });
    expect([...market.owners.values()].map((owner) => owner.website)).toEqual([website]);
  });

  it('writes nothing in a dry run', async () => {
    const { summary, market } = await importText(
      `${HEADER}\n,A1,2021,Ford,Escape,1500,1,,\n`,
      createMarket(),
      { writer: undefined },
    );
    expect(summary).toMatchObject({ accepted: 1, inserted: 0 });
    expect(market.listings.size).toBe(0);
  });
});

describe('dry run', () => {
  it('counts what an import would insert, update and expire, as the import then does, and writes nothing', async () => {
    const db = openInventory(':memory:');
    const rows = (...lines: string[]) => `${HEADER}\n${lines.join('\n')}\n`;
    const feedOf = async (text: string, writer: InventoryWriter) => {
      const { summary } = await importText(text, createMarket(), { writer, expireMissing: true });
      return [summary.inserted, summary.updated, summary.expired];
    };
    const live = () => db.all('SELECT id FROM listings WHERE removed_at IS NULL');

    const first = rows(',A1,2021,Ford,Escape,1500,1,,', ',A2,2020,Ford,Edge,900,1,,');
    expect(await feedOf(first, createDryRunWriter(db))).toEqual([2, 0, 0]);
    expect(await live()).toHaveLength(0);
    await feedOf(first, createInventoryWriter(db));

    const second = rows(
      ',A1,2021,Ford,Escape,1400,1,,',
      ',A3,2019,Ford,Edge,800,1,,',
      ',A3,2019,Ford,Edge,800,1,,',
    );
    const expected = await feedOf(second, createDryRunWriter(db));
    expect(expected).toEqual([1, 1, 1]);
    expect(await live()).toHaveLength(2);
    expect(await feedOf(second, createInventoryWriter(db))).toEqual(expected);
    await db.close();
  });
});

describe('the progress bar', () => {
  it('shows share, rows and speed in the progress bar', () => {
    expect(progressText({ rows: 120_000, rejected: 0, bytes: 48, totalBytes: 100 }, 5000)).toBe(
      '[##############                ] 48 %, 120,000 rows, 24,000 rows/s, 6 s left',
    );
    expect(progressText({ rows: 10, rejected: 3, bytes: 1, totalBytes: 100 }, 10_000)).toMatch(
      /10 rows \(3 rejected\), 1 rows\/s, 17 min left$/,
    );
    expect(progressText({ rows: 0, rejected: 0, bytes: 0, totalBytes: 0 }, 0)).toMatch(
      /100 %, 0 rows, 0 rows\/s$/,
    );
  });

  it('repaints one line on a terminal and writes a line every few seconds elsewhere', () => {
    for (const isTTY of [true, false]) {
      let text = '';
      let time = 0;
      const bar = createProgressBar({ isTTY, write: (part: string) => (text += part) }, () => (time += 50));
      for (let n = 1; n <= 20; n++) bar.show({ rows: n * 1000, rejected: 0, bytes: n, totalBytes: 20 });
      bar.finish();
      expect(text).toContain('100 %, 20,000 rows');
      expect(text.split('\n').filter(Boolean)).toHaveLength(isTTY ? 1 : 2);
      expect(text.includes('\r')).toBe(isTTY);
    }
  });
});

describe('feed mapping', () => {
  it.each([
    [{ source: 'Bad Name', fields: { year: 'y', model: 'm' } }],
    [{ source: 'a', fields: { year: 'y' } }],
    [{ source: 'a', fields: { year: 'y', model: { column: 'm', pattern: '(' } } }],
    [{ source: 'a', fields: { year: 'y', model: 'm', wheels: 'w' } }],
  ])('rejects the feed mapping %j', (mapping) => {
    expect(mappingSchema.safeParse(mapping).success).toBe(false);
  });
});

/** As a spreadsheet reads it. */
const readCells = (csv: string): string[][] => parseCsv(csv, { relax_column_count: true });

describe('file of rejected rows', () => {
  it('writes rejected rows with line, reason and original columns', async () => {
    const path = join(folder, 'bad.csv');
    const file = createRejectFile(path);
    file.add({
      line: 3,
      reason: "price 'x' is not an amount",
      row: { Year: '2021', Model: 'Say "hi", twice' },
    });
    file.add({ line: 9, reason: 'model is missing', row: { Year: '2020', Model: '' } });
    file.close();
    expect(readFileSync(path, 'utf8')).toBe(
      'line,reason,Year,Model\n3,price \'x\' is not an amount,2021,"Say ""hi"", twice"\n9,model is missing,2020,\n',
    );
  });

  it('keeps any text in its cell, with an apostrophe at most', () => {
    const text = fc.string({
      unit: fc.constantFrom('=', '+', '-', '@', '|', '\t', '\r', '\n', '"', ',', ';', ' ', '1', 'x'),
    });
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 4 }), (cells) => {
        const [read = []] = readCells(`${cells.map(csvCell).join()}\n`);
        expect(read).toHaveLength(cells.length);
        for (const [index, cell] of cells.entries()) expect([cell, `'${cell}`]).toContain(read[index]);
        expect(read.filter((cell) => /^\s*[=+\-@|]/.test(cell) && Number.isNaN(Number(cell)))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('writes no cell that a spreadsheet would run as a formula', () => {
    const path = join(folder, 'formulas.csv');
    const file = createRejectFile(path);
    const cells = [
      '=HYPERLINK("http://evil.example")',
      '+1+cmd|x',
      '-2+3',
      '@SUM(1)',
      '\t=1',
      '\r=1',
      ' =1',
      '|calc',
    ];
    for (const cell of cells) file.add({ line: 1, reason: cell, row: { [cell]: cell } });
    file.add({ line: 2, reason: 'none', row: { [cells[0]!]: '-5.25' } });
    file.close();
    const table = readCells(readFileSync(path, 'utf8')).flat();
    expect(table.length).toBeGreaterThan(20);
    expect(table.filter((cell) => /^\s*[=+\-@|]/.test(cell))).toEqual(['-5.25']);
  });
});
