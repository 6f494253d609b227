import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { type FeedMapping, mappingSchema } from '../mapping.ts';

const COLUMNS = [
  'vin',
  'stock',
  'year',
  'make',
  'model',
  'trim',
  'price',
  'miles',
  'status',
  'dealer',
  'zip',
  'photos',
  'date',
];
export const RANDOM_MAPPING: FeedMapping = mappingSchema.parse({
  source: 'random',
  fields: {
    vin: 'vin',
    stockNumber: 'stock',
    year: 'year',
    make: 'make',
    model: 'model',
    trim: 'trim',
    price: 'price',
    mileage: 'miles',
    status: 'status',
    sellerName: { column: 'dealer', default: 'Lakeside Ford' },
    zip: { column: 'zip', default: '60601' },
    photoUrls: 'photos',
    listedOn: 'date',
  },
});

const MARKERS = [
  'NULL',
  'null',
  'N/A',
  '#N/A',
  'undefined',
  'NaN',
  '(null)',
  '[object Object]',
  '\\N',
  'None',
  '#REF!',
];
const nasty = fc.oneof(
  fc.constantFrom(
    ...MARKERS,
    '',
    ' ',
    '0',
    '-1',
    '="1"',
    "'7",
    '&amp;',
    '<b>',
    '"',
    '""',
    ',',
    ';',
    '\t',
    '\n',
    '\u0000',
    '\ufffd',
    'Ã«',
    '9'.repeat(30),
    '1e999',
  ),
  fc.string({ maxLength: 12, unit: 'grapheme' }),
);
const VIN_CHARACTERS = [...'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'];
const cells = fc.tuple(
  fc.oneof(
    fc.constant(''),
    fc.string({ unit: fc.constantFrom(...VIN_CHARACTERS), minLength: 17, maxLength: 17 }),
  ),
  fc.oneof(
    fc.constant(''),
    fc.integer({ min: 1, max: 30 }).map((number) => `S${number}`),
  ),
  fc.integer({ min: 1995, max: 2027 }).map(String),
  fc.constantFrom('Ford', 'Honda', 'Citroën', 'Land Rover', 'Zeekr'),
  fc.constantFrom('Escape', 'Civic LX', 'C4', 'Discovery', 'X9 & more'),
  fc.constantFrom('', 'XLT', 'Déjà vu'),
  fc.integer({ min: 500, max: 90_000 }).map(String),
  fc.integer({ min: 0, max: 200_000 }).map(String),
  fc.constantFrom('', 'available', 'sold', 'In Transit'),
  fc.constantFrom('Ace Motors', 'Café Motörs'),
  fc.constantFrom('60601', '02134', '30303'),
  fc.constantFrom('', 'https://photos.example/1.jpg', '//photos.example/2.jpg;x'),
  fc.constantFrom('2026-10-01', '10/01/2026'),
);
/** A row with up to three cells that are something else. */
export const row = fc
  .tuple(cells, fc.array(fc.tuple(fc.nat(COLUMNS.length - 1), nasty), { maxLength: 3 }))
  .map(([given, changes]) => {
    const changed: string[] = [...given];
    for (const [at, text] of changes) changed[at] = text;
    return changed;
  });
export const header = fc
  .array(fc.tuple(fc.nat(COLUMNS.length - 1), fc.constantFrom('', ' VIN ', 'Vin', 'x', 'price')), {
    maxLength: 1,
  })
  .map((changes) => {
    const names = [...COLUMNS];
    for (const [at, name] of changes) names[at] = name;
    return names;
  });

type Rows = readonly (readonly string[])[];

const csvOf = (
  names: readonly string[],
  rows: Rows,
  { delimiter, end, quotes }: { delimiter: string; end: string; quotes: boolean },
) => {
  const cell = (text: string) =>
    quotes || /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  return [names, ...rows].map((cellsOfRow) => cellsOfRow.map(cell).join(delimiter)).join(end) + end;
};
const objectsOf = (names: readonly string[], rows: Rows) =>
  rows.map((one) => Object.fromEntries(names.map((name, at) => [name || 'empty', one[at]])));
const escapeXml = (text: string) =>
  text
    .replace(/(?![\t\n])[\p{Cc}\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
const xmlOf = (names: readonly string[], rows: Rows) => {
  const tags = names.map((name) => name.trim().replace(/\W/g, '') || 'empty');
  const vehicles = rows.map(
    (one) =>
      `<vehicle>${tags.map((tag, at) => `<${tag}>${escapeXml(one[at] ?? '')}</${tag}>`).join('')}</vehicle>`,
  );
  return `<stock><dealer>${vehicles.join('\n')}</dealer></stock>`;
};

export const shape = fc.record({
  format: fc.constantFrom('csv', 'csv', 'json', 'nested', 'jsonl', 'xml'),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  end: fc.constantFrom('\n', '\r\n'),
  quotes: fc.boolean(),
  encoding: fc.constantFrom('utf-8', 'bom', 'windows-1252', 'utf-16le', 'mixed'),
  isPacked: fc.boolean(),
});
export type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

function textOf(names: readonly string[], rows: Rows, { format, ...csv }: Shape): string {
  if (format === 'csv') return csvOf(names, rows, csv);
  if (format === 'xml') return xmlOf(names, rows);
  const objects = objectsOf(names, rows);
  if (format === 'jsonl') return objects.map((one) => JSON.stringify(one)).join(csv.end);
  return JSON.stringify(
    format === 'json' ? objects : { made: 'today', dealers: [{ name: 'Ace', vehicles: objects }] },
  );
}

function bytesOf(text: string, { encoding, isPacked }: Shape): Buffer {
  const bytes =
    encoding === 'bom'
      ? iconv.encode(text, 'utf-8', { addBOM: true })
      : encoding === 'mixed'
        ? Buffer.concat([
            Buffer.from(text.slice(0, text.length / 2)),
            iconv.encode(text.slice(text.length / 2), 'windows-1252'),
          ])
        : iconv.encode(text, encoding, { addBOM: encoding === 'utf-16le' });
  return isPacked ? gzipSync(bytes) : bytes;
}

/** A feed with these rows; with the usual columns by default. */
export const feedOf = (names: readonly string[] | undefined, rows: Rows, form: Shape): Buffer =>
  bytesOf(textOf(names ?? COLUMNS, rows, form), form);

export const extensionOf = ({ format }: Shape): string => (format === 'nested' ? 'json' : format);
