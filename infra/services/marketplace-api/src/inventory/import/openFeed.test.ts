import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { mappingSchema } from './mapping.ts';
import { flatten } from './flatten.ts';
import { openFeed } from './openFeed.ts';
import { suggestMapping } from './suggestMapping.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'feed-formats-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

async function read(name: string, text: string, rows?: string) {
  const found: unknown[] = [];
  const shape = { encoding: 'auto' as const, delimiter: 'auto' as const, ...(rows && { rows }) };
  for await (const row of openFeed(write(name, text), shape).rows) found.push('row' in row ? row.row : row);
  return found;
}

describe('rows of a feed', () => {
  it.each([',', ';', '\t', '|'])('are read from CSV with the delimiter %j', async (delimiter) => {
    const lines = [
      ['VIN', '"Dealer; name, or | so"', 'Price'],
      ['1', '"a,b;c|d"', '9'],
    ];
    const text = lines.map((cells) => cells.join(delimiter)).join('\r\n');
    expect(await read('feed.csv', text)).toEqual([
      { VIN: '1', 'Dealer; name, or | so': 'a,b;c|d', Price: '9' },
    ]);
  });

  it('are read from JSON: an array, or the first or named array of a document', async () => {
    const rows = [
      { vin: '1', 'note "x"': 'a ] } \\ "', photos: ['p', 'q'] },
      { vin: '2', price: { amount: 5 } },
    ];
    const flat = [rows[0], { vin: '2', 'price.amount': 5 }];
    expect(await read('a.json', JSON.stringify(rows))).toEqual(flat);
    expect(
      await read('b.json', JSON.stringify({ made: 'today', vehicles: rows, end: [1] }, null, 2)),
    ).toEqual(flat);
    expect(await read('c.json', JSON.stringify({ tags: [{ x: 1 }], vehicles: rows }), 'vehicles')).toEqual(
      flat,
    );
    for (const key of ['', 'a.b', 'used/new', '.', '/', '*', '$'])
      expect([key, await read('k.json', JSON.stringify({ made: 'today', [key]: rows }))]).toEqual([
        key,
        flat,
      ]);
    await expect(read('d.json', '[{"vin":"1"},{"vin":')).rejects.toMatchObject({ code: 'BROKEN_FEED' });
  });

  it('are the same from JSON however the file is cut into chunks and indented', async () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant('] } { [ " \\'));
    const row = fc.dictionary(fc.constantFrom('a', 'b', 'c"'), value, { minKeys: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1 }), fc.nat(3), async (rows, indent) => {
        expect(await read('p.json', JSON.stringify({ n: '[', rows }, null, indent))).toEqual(
          rows.map((each) => flatten(each)),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('are read from XML: elements named like the first one, with attributes, groups and lists', async () => {
    const text = `<?xml version="1.0"?><!-- stock --><Inventory date="2026-11-01">
      <Vehicle id="7"><VIN>1</VIN><Price currency="USD">18,000</Price><Note><![CDATA[a < b]]></Note>
        <Photos><Photo url="https://p.example/1.jpg"/><Photo url="https://p.example/2.jpg"/></Photos></Vehicle>
      <Vehicle id="8"><VIN>2</VIN><Make>Citro&#235;n &amp; Co</Make></Vehicle></Inventory>`;
    expect(await read('feed.xml', text)).toEqual([
      {
        '@id': '7',
        VIN: '1',
        'Price.#text': '18,000',
        'Price.@currency': 'USD',
        Note: 'a < b',
        'Photos.Photo.@url': ['https://p.example/1.jpg', 'https://p.example/2.jpg'],
      },
      { '@id': '8', VIN: '2', Make: 'Citroën & Co' },
    ]);
    await expect(read('cut.xml', text.slice(0, -40))).rejects.toMatchObject({ code: 'BROKEN_FEED' });
  });

  it('do not expand entities of a document type', async () => {
    const bomb = '<!DOCTYPE a [<!ENTITY b "bbbbbbbb">]><r><v><x>&b;</x></v></r>';
    expect(await read('bomb.xml', bomb)).toEqual([{ x: '&b;' }]);
  });
});

describe('a suggested mapping', () => {
  it('finds usual names and checks them by the values', async () => {
    const path = write(
      'lakeside.csv',
      [
        'Stock #;VIN;Model Year;Make;Model;Selling Price;Odometer;Dealer Name;Zip Code;Image URLs;Type',
        'A1;1HGCM82633A004352;2021;Ford;Escape;18,900;31,000 mi;Lakeside;60601;https://img.example/1.jpg|https://img.example/2.jpg;Used',
        'A2;1HGCM82633A004353;2022;Ford;Edge;28,900;21,000 mi;Lakeside;60601;https://img.example/3.jpg;New',
      ].join('\n'),
    );
    const { mapping } = await suggestMapping(path);
    expect(mapping).toEqual({
      source: 'lakeside',
      photoHosts: ['img.example'],
      fields: {
        stockNumber: 'Stock #',
        vin: 'VIN',
        year: 'Model Year',
        make: 'Make',
        model: 'Model',
        price: 'Selling Price',
        mileage: 'Odometer',
        sellerName: 'Dealer Name',
        zip: 'Zip Code',
        photoUrls: 'Image URLs',
        listingType: 'Type',
      },
    });
    expect(mappingSchema.safeParse(mapping).success).toBe(true);
  });

  it('distrusts a name whose values do not fit, splits places, and asks for what is missing', async () => {
    const path = write(
      'odd.csv',
      'price,year,name,location\nred,2021,Escape,"Pasadena, CA (19 mi.)"\nblue,2020,Edge,"Glendale, CA"',
    );
    const { mapping, notes } = await suggestMapping(path);
    expect(mapping.fields).toEqual({
      year: 'year',
      city: { column: 'location', pattern: '^(.*), [A-Z]{2}\\b' },
      state: { column: 'location', pattern: ', ([A-Z]{2})\\b' },
    });
    expect(notes.join('\n')).toMatch(/price: no column found[\s\S]*Not mapped: price, name/);
  });
});
