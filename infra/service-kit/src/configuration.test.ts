import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { bucketUrl, databaseUrl, list, readEnvironment } from './configuration.ts';

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
