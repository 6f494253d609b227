import { crc32, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import { NothingToImport } from './importFeed.ts';
import { type FeedMapping, mappingSchema } from './mapping.ts';
import { createMarket, importText, MAPPING } from './testing/importText.ts';

const HEADER = 'VIN,Stock,Year,Make,Model,Price,Miles,Dealer,Zip';
const csv = (...rows: readonly string[]) => [HEADER, ...rows, ''].join('\n');
/** The usual mapping with other fields or settings. */
const withFields = (fields: Record<string, unknown>, more: Record<string, unknown> = {}): FeedMapping =>
  mappingSchema.parse({ ...MAPPING, ...more, fields: { ...MAPPING.fields, ...fields } });
const findingOf = (
  { findings }: { findings: readonly { field: string; kind: string; count: number }[] },
  name: string,
) => findings.find(({ field, kind }) => `${field} ${kind}` === name)?.count ?? 0;
const VINS = ['1FTFW1E50MFA00001', '1FTFW1E52MFA00002', '1FTFW1E54MFA00003'] as const;

describe('words for no value', () => {
  it.each([
    'N/A',
    '0',
    '-',
    'NULL',
    'none',
    '#N/A',
    '(null)',
    '<NA>',
    'undefined',
    '\\N',
    'XXX',
    '12345678',
    '1111',
  ])('as a stock number (%j) leave different cars apart', async (word) => {
    const { summary, listings } = await importText(
      csv(
        `,${word},2021,Ford,Edge,20000,9,,`,
        `,${word},2019,Ford,Escape,15000,8,,`,
        `,${word},2020,Honda,Civic,1,7,,`,
      ),
    );
    expect(summary).toMatchObject({ read: 3, inserted: 3, merged: 0, rejected: 0 });
    expect(listings.map(({ stockNumber }) => stockNumber)).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    '00000000000000000',
    'XXXXXXXXXXXXXXXXX',
    '11111111111111111',
    '12345678901234567',
    'N/A',
    'PENDING',
  ])('as a VIN (%j) leave different cars apart', async (word) => {
    const { summary, listings } = await importText(
      csv(`${word},,2021,Ford,Edge,20000,9,,`, `${word},,2019,Ford,Escape,15000,8,,`),
    );
    expect(summary).toMatchObject({ inserted: 2, merged: 0 });
    expect(listings.every(({ vin }) => vin.startsWith('0') && vin !== word)).toBe(true);
    expect(findingOf(summary, 'vin placeholder')).toBe(2);
  });

  it('are never shown as trim, seller, city or make', async () => {
    const mapping = withFields({ trim: 'Trim', city: 'City', state: 'State' });
    const { listings, market, rejects } = await importText(
      [
        `${HEADER},Trim,City,State`,
        ',A1,2021,Ford,Edge,20000,9,NULL,60601,NULL,N/A,#N/A',
        ',A2,2021,Ford,Escape NULL,20000,9,None,60601,undefined,-,-',
        ',A3,2021,NULL,Escape,20000,9,,60601,,,',
      ].join('\n'),
      createMarket(),
      { mapping },
    );
    expect(listings.map(({ trim, model }) => [model.name, trim])).toEqual([
      ['Edge', undefined],
      ['Escape', undefined],
    ]);
    expect([...market.owners.values()].map(({ name, city }) => `${name}, ${city}`)).toEqual([
      'Lakeside Ford, Chicago',
    ]);
    expect(rejects.map(({ reason }) => reason)).toEqual([
      "make is missing, and 'Escape' begins with none that is known",
    ]);
  });
});

describe('rows of one identity', () => {
  it('are counted as merged when they describe one car, and the last counts', async () => {
    const { summary, listings } = await importText(
      csv(`${VINS[0]},,2021,Ford,Edge,20000,9,,`, `${VINS[0]},,2021,Ford,Edge,19000,9,,`),
    );
    expect(summary).toMatchObject({ read: 2, accepted: 2, inserted: 1, merged: 1 });
    expect(listings.map(({ salePrice }) => salePrice)).toEqual([19_000]);
  });

  it('are both listed when a stock number is used for two cars, and refused when a VIN is', async () => {
    const { summary, rejects, listings } = await importText(
      csv(
        ',DEMO,2021,Ford,Edge,20000,9,,',
        ',DEMO,2019,Honda,Civic,15000,8,,',
        `${VINS[0]},,2021,Ford,Edge,1000,9,,`,
        `${VINS[0]},,2018,Kia,Soul,1000,9,,`,
      ),
    );
    expect(summary).toMatchObject({ read: 4, inserted: 3, merged: 0, rejected: 1 });
    expect(findingOf(summary, 'stockNumber shared')).toBe(1);
    expect(listings.map(({ model }) => model.name)).toEqual(['Edge', 'Civic', 'Edge']);
    expect(rejects).toMatchObject([
      { line: 5, reason: `VIN ${VINS[0]} is that of line 4 too, a 2021 Ford Edge` },
    ]);
  });
});

describe('encodings', () => {
  const french = ',F1,2021,Citroën,Berlingo,20000,9,Café Motörs,60601';

  it('are read byte by byte from the first one that is not UTF-8, and the report says where', async () => {
    const ascii = Array.from({ length: 3000 }, (_, at) => `,A${at},2021,Ford,Edge,20000,${at},,`);
    const bytes = Buffer.concat([Buffer.from(csv(...ascii)), iconv.encode(`${french}\n`, 'windows-1252')]);
    const { summary, listings, market } = await importText(bytes);
    expect(listings.at(-1)?.make.name).toBe('Citroën');
    expect([...market.owners.values()].at(-1)?.name).toBe('Café Motörs');
    expect(summary.invalidByte).toEqual({ line: 3002, byte: expect.any(Number) as unknown });
  });

  it('may be mixed: characters of UTF-8 stay what they are', async () => {
    const bytes = Buffer.concat([
      Buffer.from(csv(french)),
      iconv.encode(french.replace('F1', 'F2'), 'windows-1252'),
    ]);
    const { listings } = await importText(bytes);
    expect(listings.map(({ make }) => make.name)).toEqual(['Citroën', 'Citroën']);
  });

  it.each(['ISO-8859-1', 'windows-1252', 'utf-8', 'utf-16'])(
    'are those that an XML document declares: %s',
    async (encoding) => {
      const xml = `<?xml version="1.0" encoding="${encoding}"?><cars><car><Year>2021</Year><Make>Citroën</Make><Model>C4</Model></car></cars>`;
      const used = encoding === 'ISO-8859-1' ? 'windows-1252' : encoding;
      const { listings } = await importText(
        iconv.encode(xml, used, { addBOM: used === 'utf-16' }),
        createMarket(),
        {
          extension: 'xml',
        },
      );
      expect(listings.map(({ make }) => make.name)).toEqual(['Citroën']);
    },
  );

  it('that were applied twice, and decomposed letters, give one name', async () => {
    const { listings } = await importText(
      csv(french, french.replace('F1', 'F2').replace('ë', 'Ã«'), french.replace('F1', 'F3').normalize('NFD')),
    );
    expect(new Set(listings.map(({ make }) => make.name))).toEqual(new Set(['Citroën']));
  });

  it.each(['csv', 'csv.gz', 'txt'])('of a packed feed are read under the name .%s', async (extension) => {
    const { listings } = await importText(gzipSync(csv(french)), createMarket(), { extension });
    expect(listings.map(({ make }) => make.name)).toEqual(['Citroën']);
  });

  it('of the first feed in a ZIP archive are read', async () => {
    // Made by Info-ZIP: a folder, and stock.csv with one row.
    const { listings } = await importText(zipOf('export/stock.csv', csv(french)), createMarket(), {
      extension: 'zip',
    });
    expect(listings.map(({ make }) => make.name)).toEqual(['Citroën']);
  });

  it('of HTML in a cell are decoded once', async () => {
    const { listings } = await importText(
      csv(
        ',A1,2015,Chrysler,Town &amp; Country,9000,9,,',
        ',A2,2015,Chrysler,Town & Country,9000,8,,',
        ',A3,2015,Citro&euml;n,C4,9000,7,,',
      ),
    );
    expect(listings.map(({ make, model }) => `${make.name} ${model.name}`)).toEqual([
      'Chrysler Town & Country',
      'Chrysler Town & Country',
      'Citroën C4',
    ]);
  });
});

describe('cars that are not for sale', () => {
  const STATUS_HEADER = `${HEADER},Status`;
  const mapping = withFields({ status: 'Status' });
  const feed = (...states: readonly string[]) =>
    [STATUS_HEADER, ...states.map((status, at) => `,A${at},2021,Ford,Edge,20000,${at},,,${status}`)].join(
      '\n',
    );

  it('are left out by the words of their status, and counted', async () => {
    const { summary } = await importText(
      feed(
        'Available',
        'SOLD',
        'Sale Pending',
        'In Transit',
        'wholesale',
        'On Hold',
        'in stock',
        'out of stock',
        '',
      ),
      createMarket(),
      { mapping },
    );
    expect(summary).toMatchObject({ read: 9, inserted: 4, filtered: 5, rejected: 0 });
    expect(summary.leftOut).toContainEqual({ reason: "status 'SOLD'", count: 1 });
  });

  it('end at once when their status changes, also in a feed that may be incomplete', async () => {
    const { market } = await importText(feed('Available', 'Available'), createMarket(), { mapping });
    const { summary, listings } = await importText(feed('Sold', 'Available'), market, { mapping });
    expect(summary).toMatchObject({ filtered: 1, ended: 1, unchanged: 1 });
    expect(listings.map(({ stockNumber }) => stockNumber)).toEqual(['A1']);
  });

  it('are left out by filters of the mapping', async () => {
    const filters = [
      { column: 'Lot', except: ['Auction'] },
      { column: 'Type', only: ['used', 'cpo'] },
    ];
    const rows = ['Main,Used', 'auction,Used', 'Main,New', 'Main,CPO'].map(
      (cells, at) => `,A${at},2021,Ford,Edge,9000,9,,,${cells}`,
    );
    const { summary, listings } = await importText(
      [`${HEADER},Lot,Type`, ...rows].join('\n'),
      createMarket(),
      {
        mapping: withFields({}, { filters }),
      },
    );
    expect(summary).toMatchObject({ filtered: 2, inserted: 2 });
    expect(listings.map(({ stockNumber }) => stockNumber)).toEqual(['A0', 'A3']);
  });

  it('are not in comments of XML', async () => {
    const car = (stock: string) =>
      `<car><Stock>${stock}</Stock><Year>2021</Year><Make>Ford</Make><Model>Edge</Model></car>`;
    const { listings } = await importText(
      `<cars>${car('A1')}<!-- sold: ${car('A2')} -->${car('A3')}</cars>`,
      createMarket(),
      { extension: 'xml' },
    );
    expect(listings.map(({ stockNumber }) => stockNumber)).toEqual(['A1', 'A3']);
  });
});

describe('values that can be left out', () => {
  it.each([
    'Please Call',
    'Price on request',
    'Inquire',
    'Make Offer',
    'Contact us',
    '9999999',
    '1',
    '$20-25k',
    'TBD',
    'see dealer',
  ])('the price %j lists the car without a price', async (price) => {
    const { summary, listings } = await importText(csv(`,A1,2021,Ford,Edge,${price},9,,`));
    expect(summary).toMatchObject({ inserted: 1, rejected: 0 });
    expect(listings[0]).not.toHaveProperty('salePrice');
    expect(findingOf(summary, 'price missing')).toBe(1);
  });

  it.each(['Exempt', 'Not Actual', '12345 Miles (est.)', 'TMU', '9999999', '-5'])(
    'the mileage %j lists the car without a mileage',
    async (miles) => {
      const { summary, listings } = await importText(csv(`,A1,2021,Ford,Edge,20000,${miles},,`));
      expect(summary).toMatchObject({ inserted: 1, rejected: 0 });
      expect(listings[0]).not.toHaveProperty('mileage');
      expect(findingOf(summary, 'mileage missing')).toBe(1);
    },
  );

  it.each([
    ['$18,900 OBO', 18_900],
    ['18900.00 + tax', 18_900],
    ['$18.9k', 18_900],
    ['1.89E+04', 18_900],
  ])('the price %j is %d', async (text, price) => {
    const { listings } = await importText(csv(`,A1,2021,Ford,Edge,"${text}",9,,`));
    expect(listings[0]?.salePrice).toBe(price);
  });

  it('a price in another currency is converted by its rate, or left out and counted', async () => {
    const feed = csv(
      ',A1,2021,Ford,Edge,"€20,000",9,,',
      ',A2,2021,Ford,Edge,£20000,8,,',
      ',A3,2021,Ford,Edge,$20000,7,,',
    );
    const { summary, listings } = await importText(feed, createMarket(), {
      mapping: withFields({}, { currencyRates: { EUR: 1.1 } }),
    });
    expect(listings.map(({ salePrice }) => salePrice)).toEqual([22_000, undefined, 20_000]);
    expect(findingOf(summary, 'price currency')).toBe(1);
    const canadian = withFields(
      { price: { column: 'Price', currency: 'CAD' }, mileage: { column: 'Miles', unit: 'km' } },
      { currencyRates: { CAD: 0.75 } },
    );
    const { listings: fromCanada } = await importText(
      csv(',A1,2021,Ford,Edge,"$40,000",100000,,'),
      createMarket(),
      { mapping: canadian },
    );
    expect(fromCanada[0]).toMatchObject({ salePrice: 30_000, mileage: 62_137 });
  });

  it('dates that no car was listed on leave the day of the import, and are counted', async () => {
    const days = ['0001-01-01', '2031-01-01', 'soon', 'Nov 1, 2026'];
    const rows = days.map((day, at) => `,A${at},2021,Ford,Edge,20000,9,,,"${day}"`);
    const { summary, listings } = await importText([`${HEADER},Listed`, ...rows].join('\n'), createMarket(), {
      mapping: withFields({ listedOn: 'Listed' }),
    });
    expect(listings.map(({ listedOn }) => listedOn)).toEqual([20_778, 20_778, 20_778, 20_758]);
    expect([findingOf(summary, 'listedOn implausible'), findingOf(summary, 'listedOn unreadable')]).toEqual([
      2, 1,
    ]);
  });
});

describe('marks of spreadsheets', () => {
  it('hide neither VIN nor ZIP code', async () => {
    const dressed = ['="1FTFW1E50MFA00001"', "'1FTFW1E52MFA00002", ' 1FTFW1E54MFA 00003 '];
    const rows = dressed.map((vin) => `"${vin.replaceAll('"', '""')}",,2021,Ford,Edge,20000,9,,"=""02134"""`);
    const { summary, listings, market, rejects } = await importText(csv(...rows));
    expect(rejects).toEqual([]);
    expect(listings.map(({ vin }) => vin)).toEqual([...VINS]);
    expect(summary.recognizedBy.vin).toBe(3);
    expect([...market.owners.values()].map(({ zip }) => zip)).toEqual(['02134']);
  });
});

describe('photos', () => {
  const photo = (at: number) => `https://photos.example/${at}.jpg`;
  const photosOf = async (cell: string) => {
    const { listings } = await importText(
      `${HEADER},Photos\n,A1,2021,Ford,Edge,1,9,,,"${cell.replaceAll('"', '""')}"`,
      createMarket(),
      {
        mapping: withFields({ photoUrls: 'Photos' }),
      },
    );
    return listings[0]?.photoUrls;
  };

  it.each([
    [JSON.stringify([photo(1), photo(2)])],
    [JSON.stringify([{ url: photo(1), order: 1 }, { url: photo(2) }])],
    ['//photos.example/1.jpg|//photos.example/2.jpg'],
    [`${photo(1)}, ${photo(2)},`],
    [`${photo(1)}\n${photo(2)}`],
    ['https:\\/\\/photos.example\\/1.jpg;https:\\/\\/photos.example\\/2.jpg'],
  ])('in the form %j are all found', async (cell) => {
    expect(await photosOf(cell)).toEqual([photo(1), photo(2)]);
  });

  it('keep separators within an address', async () => {
    expect(
      await photosOf('https://photos.example/a;w=640,h=480/1.jpg;https://photos.example/2.jpg?a=1&amp;b=2'),
    ).toEqual(['https://photos.example/a;w=640,h=480/1.jpg', 'https://photos.example/2.jpg?a=1&b=2']);
  });

  it('of several columns, equal names and repeated elements are joined', async () => {
    const cells = `${photo(1)},${photo(2)},${photo(3)}`;
    const { listings } = await importText(
      `${HEADER},Image 1,Image,Image\n,A1,2021,Ford,Edge,1,9,,,${cells}`,
      createMarket(),
      {
        mapping: withFields({ photoUrls: { columns: ['Image 1', 'Image'] } }),
      },
    );
    expect(listings[0]?.photoUrls).toEqual([photo(1), photo(2), photo(3)]);
    const { listings: fromXml } = await importText(
      `<cars><car><Year>2021</Year><Make>Ford</Make><Model>Edge</Model><pic>${photo(1)}</pic><pic>${photo(2)}</pic></car></cars>`,
      createMarket(),
      { extension: 'xml', mapping: withFields({ photoUrls: 'pic' }) },
    );
    expect(fromXml[0]?.photoUrls).toEqual([photo(1), photo(2)]);
  });

  it('that are no addresses are counted', async () => {
    const { summary } = await importText(
      `${HEADER},Photos\n,A1,2021,Ford,Edge,1,9,,,front.jpg|ftp://x.example/2.jpg`,
      createMarket(),
      {
        mapping: withFields({ photoUrls: 'Photos' }),
      },
    );
    expect(findingOf(summary, 'photoUrls unreadable')).toBeGreaterThan(0);
  });
});

describe('words and defaults', () => {
  const listingOf = async (cells: string) => {
    const { listings } = await importText(
      `${HEADER},Body,Fuel,Trans,Engine\n,A1,2021,${cells}`,
      createMarket(),
      {
        mapping: withFields({ bodyStyle: 'Body', fuel: 'Fuel', transmission: 'Trans', engine: 'Engine' }),
      },
    );
    return listings[0]!;
  };

  it('state nothing that the feed does not say', async () => {
    const unknown = await listingOf('Zeekr,X9,50000,9,,,,,,');
    expect([unknown.bodyStyle, unknown.fuel, unknown.transmission]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['Zeekr,X9,50000,9,,,Chassis Cab,,,', { bodyStyle: 'TRUCKS' }],
    ['Zeekr,X9,50000,9,,,Cabrio,,,', { bodyStyle: 'CONVERT' }],
    ['Zeekr,X9,50000,9,,,Coupé,,,', { bodyStyle: 'COUPE' }],
    ['Zeekr,X9,50000,9,,,,,Manumatic,', { transmission: 'AUT' }],
    ['Zeekr,X9,50000,9,,,,,,Electric Motor', { fuel: 'ELE' }],
  ])('of %j are right', async (cells, facts) => {
    expect(await listingOf(cells)).toMatchObject(facts);
  });

  it('refuse vehicles that are no cars, unless the mapping wants them', async () => {
    const feed = [
      `${HEADER},Type`,
      ',A1,2021,Harley-Davidson,Street Glide,20000,9,,,',
      ',A2,2021,Honda,CBR500R,8000,9,,,Motorcycle',
      ',A3,2021,Big Tex,70CH,8000,9,,,Utility Trailer',
      ',A4,2021,Honda,Civic,20000,9,,,Car',
    ].join('\n');
    const mapping = withFields({ vehicleType: 'Type' });
    const { rejects, summary } = await importText(feed, createMarket(), { mapping });
    expect(summary).toMatchObject({ inserted: 1, rejected: 3 });
    expect(rejects.map(({ reason }) => reason)).toEqual([
      'it is a motorcycle',
      'it is a motorcycle',
      'it is a trailer',
    ]);
    const { summary: more } = await importText(feed, createMarket(), {
      mapping: { ...mapping, otherVehicles: ['motorcycle'] },
    });
    expect(more).toMatchObject({ inserted: 3, rejected: 1 });
  });
});

describe('the first contact', () => {
  it.each([
    ['a separator line', `sep=;\n${HEADER.replaceAll(',', ';')}\n;A1;2021;Ford;Edge;20000;9;;`, 'csv'],
    [
      'title lines',
      `Lakeside Ford\nInventory of 2026-11-21,,\n\n${HEADER}\n,A1,2021,Ford,Edge,20000,9,,`,
      'csv',
    ],
    [
      'names in another case',
      `vin,stock,YEAR,make,model,price,miles,dealer,zip\n,A1,2021,Ford,Edge,20000,9,,`,
      'csv',
    ],
    [
      'an RSS channel',
      `<rss version="2.0"><channel><title>Stock</title><item><Stock>A1</Stock><Year>2021</Year><Make>Ford</Make><Model>Edge</Model></item></channel></rss>`,
      'xml',
    ],
    [
      'an empty array first',
      `{"errors":[],"vehicles":[{"Stock":"A1","Year":2021,"Make":"Ford","Model":"Edge","Price":NaN}]}`,
      'json',
    ],
    ['JSON under another name', `[{"Stock":"A1","Year":2021,"Make":"Ford","Model":"Edge"}]`, 'csv'],
  ])('of a feed with %s succeeds', async (_, text, extension) => {
    const { listings } = await importText(text, createMarket(), { extension });
    expect(listings.map(({ stockNumber, model }) => [stockNumber, model.name])).toEqual([['A1', 'Edge']]);
  });

  it('takes the dealer above its cars', async () => {
    const mapping = withFields({ sellerName: '../Name', zip: '../Address.Zip' });
    const car = (stock: string) =>
      `<car><Stock>${stock}</Stock><Year>2021</Year><Make>Ford</Make><Model>Edge</Model></car>`;
    const xml = `<feed><dealer><Name>Ace</Name><Address><Zip>60601</Zip></Address>${car('A1')}${car('A2')}</dealer><dealer><Name>Bay</Name><Address><Zip>30303</Zip></Address>${car('A3')}</dealer></feed>`;
    const json = JSON.stringify({
      dealers: [
        {
          Name: 'Ace',
          Address: { Zip: '60601' },
          cars: [{ Stock: 'A1', Year: 2021, Make: 'Ford', Model: 'Edge' }],
        },
        {
          Name: 'Bay',
          Address: { Zip: '30303' },
          cars: [{ Stock: 'A3', Year: 2021, Make: 'Ford', Model: 'Edge' }],
        },
      ],
    });
    for (const [text, extension, count] of [
      [xml, 'xml', 3],
      [json, 'json', 2],
    ] as const) {
      const { market } = await importText(text, createMarket(), { extension, mapping });
      expect(market.listings.size).toBe(count);
      expect([...market.owners.values()].map(({ name, city }) => `${name}, ${city}`)).toEqual([
        'Ace, Chicago',
        'Bay, Atlanta',
      ]);
    }
  });

  it('fails with the columns that were found, the nearest names and the first reasons', async () => {
    const failure = importText('Jahr,Makes,Modells\n2021,Ford,Edge\n');
    await expect(failure).rejects.toThrow(NothingToImport);
    await expect(failure).rejects.toThrow(/Columns found: Jahr, Makes, Modells\./);
    await expect(failure).rejects.toThrow(/'Make' \(did you mean 'Makes'\?\)/);
    await expect(failure).rejects.toThrow(/Line 2: /);
  });
});

describe('ZIP codes', () => {
  it('that the table lacks are placed near, and counted', async () => {
    const { summary, market } = await importText(csv(',A1,2021,Ford,Edge,20000,9,,60600'));
    expect(summary.approximatePlaces).toBe(1);
    expect([...market.owners.values()]).toMatchObject([{ city: 'Chicago', state: 'IL', zip: '60600' }]);
  });
});

describe('XML', () => {
  const fields = '<Stock>A1</Stock><Year>2021</Year><Make>Ford</Make><Model>Edge</Model>';

  it.each([
    ['comments within a row', `<cars><car><!-- </car> -->${fields}</car></cars>`],
    ['blanks in its end tags', `<cars><car >${fields}</car ></cars>`],
    ['nested elements of the same name', `<cars><car>${fields}<car>spare</car></car></cars>`],
    ['CDATA', `<cars><car>${fields}<Note><![CDATA[</car>]]></Note></car></cars>`],
    ['ampersands that are not escaped', `<cars><car>${fields}<Note>Town & Country</Note></car></cars>`],
    ['a document type', `<!DOCTYPE cars [<!ELEMENT car ANY>]><cars><car>${fields}</car></cars>`],
  ])('with %s is read', async (_, xml) => {
    const { listings } = await importText(xml, createMarket(), { extension: 'xml' });
    expect(listings.map(({ stockNumber, model }) => [stockNumber, model.name])).toEqual([['A1', 'Edge']]);
  });

  it('with attributes alone is read', async () => {
    const mapping = mappingSchema.parse({
      source: 'lakeside',
      fields: {
        year: '@y',
        make: '@make',
        model: '@model',
        stockNumber: '@id',
        sellerName: { constant: 'Ace' },
        zip: { constant: '60601' },
      },
    });
    const { listings } = await importText(
      '<cars><car id="A1" y="2021" make="Ford" model="Edge"/></cars>',
      createMarket(),
      {
        extension: 'xml',
        mapping,
      },
    );
    expect(listings.map(({ stockNumber }) => stockNumber)).toEqual(['A1']);
  });
});

/** A ZIP archive with one stored file. */
function zipOf(name: string, text: string): Buffer {
  const [file, content] = [Buffer.from(name), Buffer.from(text)];
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt32LE(crc32(content), 10);
  facts.writeUInt32LE(content.length, 14);
  facts.writeUInt32LE(content.length, 18);
  facts.writeUInt16LE(file.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, file, content]);
  const entry = Buffer.concat([
    Buffer.from('PK\u0001\u0002'),
    Buffer.from([20, 0]),
    facts,
    Buffer.alloc(14),
    file,
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}
