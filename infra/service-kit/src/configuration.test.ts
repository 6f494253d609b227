import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { bucketUrl, databaseUrl, json, list, readEnvironment, settings } from './configuration.ts';

describe('the environment', () => {
  const schema = z.object({ PORT: z.coerce.number().default(1), NAMES: list, URL: z.url().optional() });

  it('counts empty values as unset', () => {
    expect(readEnvironment(schema, { PORT: '', NAMES: ' a, ,b ' })).toEqual({ PORT: 1, NAMES: ['a', 'b'] });
  });

  it('names every invalid key in one line', () => {
    expect(() => readEnvironment(schema, { PORT: 'http', URL: 'x' })).toThrow(
      /^configuration: PORT: [^;\n]+; URL: [^;\n]+$/,
    );
  });

  const refusalOf = (field: z.ZodType, text: string): string => {
    try {
      return `taken: ${JSON.stringify(readEnvironment(z.object({ KEY: field }), { KEY: text }))}`;
    } catch (error) {
      return String(error);
    }
  };
  const clients = json.pipe(z.object({ secret: z.string().min(9), level: z.enum(['low', 'high']) }));

  it.each([
    ['a number', z.coerce.number(), 'eighty', /expected number.*, found 'eighty'$/],
    ['a number in a range', z.coerce.number().max(9), '10', /<=9, found '10'$/],
    ['a word of a few', z.enum(['low', 'high']), 'medium', /"low"\|"high", found 'medium'$/],
    ['a switch', z.stringbool(), 'perhaps', /, found 'perhaps'$/],
    [
      'a part of several',
      clients,
      '{"secret":"0123456789","level":"medium"}',
      /KEY\.level: .*, found 'medium'$/,
    ],
  ])('says what is expected and what was found instead of %s', (_, field, text, refusal) => {
    expect(refusalOf(field, text)).toMatch(refusal);
  });

  it.each([
    ['a secret', z.string().min(9), 'hunter2'],
    ['an address, which may have a password', z.url(), 'hunter2@db'],
    ['a part of several', clients, '{"secret":"hunter2","level":"low"}'],
  ])('does not repeat %s', (_, field, text) => {
    expect(refusalOf(field, text)).toMatch(/^Error: configuration: KEY/);
    expect(refusalOf(field, text)).not.toContain('hunter2');
  });
});

describe('a family of settings', () => {
  const family = settings({ pages: z.coerce.number().default(10), slots: z.coerce.number().default(60) });

  it.each([
    ['', { pages: 10, slots: 60 }],
    ['slots=0', { pages: 10, slots: 0 }],
    [' pages = 1, slots=2 ', { pages: 1, slots: 2 }],
  ])('may be %j', (text, values) => {
    expect(family.parse(text)).toEqual(values);
  });

  it.each(['10', 'pages=', 'pages=soon', 'results=1'])('is not %j', (text) => {
    expect(family.safeParse(text).success).toBe(false);
  });
});

describe('the URL of a bucket', () => {
  const parse = (text: string) => bucketUrl('photos/').parse(text);

  it('has the server, the region and the prefix of keys in it', () => {
    expect(parse('s3://cars/a/b/?region=eu-central-1&endpoint=https://s3.example&pathStyle=true')).toEqual({
      bucket: 'cars',
      prefix: 'a/b/',
      region: 'eu-central-1',
      endpoint: 'https://s3.example',
      isPathStyle: true,
    });
  });

  it.each([
    ['s3://cars', 'photos/'],
    ['s3://cars/', ''],
  ])('means a bucket of Amazon for %s, with keys below %j', (text, prefix) => {
    expect(parse(text)).toEqual({ bucket: 'cars', prefix, region: 'us-east-1', isPathStyle: false });
  });

  it.each([
    'cars',
    'https://cars',
    's3://x',
    's3://cars/a',
    's3://cars?endpoint=s3',
    's3://cars?pathStyle=maybe',
  ])('is not %s', (text) => {
    expect(bucketUrl('photos/').safeParse(text).success).toBe(false);
  });
});

it.each([
  ['postgres://db.example/cars', true],
  ['postgresql://db.example/cars?sslmode=verify-full&connections=4', true],
  ['postgres://db.example/cars?connections=0', false],
  ['postgres://db.example/cars?connections=many', false],
  ['mysql://db.example/cars', false],
])('the URL of a database may be %s: %s', (url, isValid) => {
  expect(databaseUrl.safeParse(url).success).toBe(isValid);
});
