import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { schemaDifferences } from './differences.ts';

const json = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
const between = (older: z.ZodType, newer: z.ZodType) =>
  schemaDifferences({ x: json(older) }, { x: json(newer) }).map(({ kind, path }) => `${kind} ${path}`);

const make = z.object({ code: z.string(), name: z.string() });
const listing = z.object({
  id: z.string(),
  year: z.number().int(),
  make,
  prices: z.array(z.object({ sale: z.number() })),
  rates: z.record(z.string(), z.number()),
  note: z.string().nullable(),
});

describe('schemaDifferences', () => {
  it('returns no differences for equal schemas', () => {
    expect(between(listing, listing)).toEqual([]);
  });

  it.each([
    ['a removed field', listing.omit({ year: true }), ['removed x.year']],
    [
      'a renamed nested field',
      listing.extend({ make: z.object({ code: z.string(), title: z.string() }) }),
      ['removed x.make.name', 'added x.make.title'],
    ],
    ['another type', listing.extend({ year: z.string() }), ['retyped x.year']],
    [
      'another type within a list',
      listing.extend({ prices: z.array(z.object({ sale: z.string() })) }),
      ['retyped x.prices[].sale'],
    ],
    [
      'another type within a record',
      listing.extend({ rates: z.record(z.string(), z.string()) }),
      ['retyped x.rates{}'],
    ],
    ['a field that becomes nullable', listing.extend({ id: z.string().nullable() }), ['retyped x.id']],
    ['a field that becomes optional', listing.extend({ id: z.string().optional() }), ['may be missing x.id']],
    ['a removed object, once,', listing.omit({ make: true }), ['removed x.make']],
    ['a new field', listing.extend({ vin: z.string() }), ['added x.vin']],
  ])('reports %s of a schema', (_, newer, expected) => {
    expect(between(listing, newer)).toEqual(expected);
  });

  it('ignores narrower types', () => {
    expect(between(listing, listing.extend({ note: z.string() }))).toEqual([]);
    expect(between(z.object({ n: z.number() }), z.object({ n: z.number().int() }))).toEqual([]);
  });

  it('terminates on recursive schemas', () => {
    interface Tree {
      children: Tree[];
    }
    const tree: z.ZodType<Tree> = z.lazy(() => z.object({ children: z.array(tree) }));
    expect(between(tree, tree)).toEqual([]);
  });
});
