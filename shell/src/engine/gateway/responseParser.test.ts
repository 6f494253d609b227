import { describe, expect, it } from '@jest/globals';
import type { CallName } from '@forecourt/slots/calls';
import type { CallDefinition } from '@forecourt/upstream/callDefinition';
import fc from 'fast-check';
import { z } from 'zod';
import { createResponseParser } from './responseParser.ts';

/** What the schemas of calls consist of. */
const schema = z.object({
  books: z.array(
    z.preprocess(
      (raw) => (typeof raw === 'string' ? { id: raw } : raw),
      z.object({
        id: z.string().min(1),
        pages: z.number().int().optional(),
        kind: z.enum(['novel', 'essay']).default('novel'),
        color: z
          .string()
          .regex(/^#[0-9a-f]{6}$/)
          .optional(),
        codes: z.record(z.string(), z.array(z.string())).optional(),
        isNew: z.boolean().default(false),
      }),
    ),
  ),
  total: z.union([z.number(), z.string().transform(Number)]).nullable(),
});
const name = 'shelf' as CallName;
const parse = createResponseParser({ [name]: { response: schema } } as unknown as Readonly<
  Record<CallName, Pick<CallDefinition, 'response'>>
>);

/** The value, or the issues of the ZodError. */
function outcome(parsing: () => unknown): unknown {
  try {
    return { value: parsing() };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    return { issues: error.issues };
  }
}

/** A valid field, or anything at all. */
const sometimes = <T>(valid: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: valid }, { weight: 1, arbitrary: fc.jsonValue() });
const book = fc.record(
  {
    id: sometimes(fc.string()),
    pages: sometimes(fc.nat()),
    kind: sometimes(fc.constantFrom('novel', 'essay')),
    color: sometimes(fc.constantFrom('#00ff00', 'green')),
    codes: sometimes(fc.dictionary(fc.string(), fc.array(fc.string()))),
    isNew: sometimes(fc.boolean()),
    more: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const response = fc.record(
  {
    books: sometimes(fc.array(fc.oneof(book, fc.string()))),
    total: sometimes(fc.oneof(fc.nat(), fc.constant('12'), fc.constant(null))),
  },
  { requiredKeys: [] },
);

describe('createResponseParser', () => {
  it('gives the same value or the same issues as the schema itself', () => {
    fc.assert(
      fc.property(sometimes(response), (data) => {
        const expected = outcome(() => schema.parse(structuredClone(data)));
        expect(outcome(() => parse(name, structuredClone(data)))).toEqual(expected);
      }),
    );
  });

  it('parses what is valid', () => {
    expect(parse(name, { books: ['a'], total: '3' })).toEqual({
      books: [{ id: 'a', kind: 'novel', isNew: false }],
      total: 3,
    });
  });
});
