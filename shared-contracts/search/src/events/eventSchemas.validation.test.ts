import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { emptySearch } from '../state/searchSlice.ts';
import { EVENT_SCHEMAS } from './eventSchemas.ts';
import {
  boolean,
  list,
  ValidationError,
  nullable,
  number,
  object,
  oneOf,
  optional,
  pair,
  someOf,
  text,
  wholeNumber,
  withDefault,
  type Schema,
} from '@forecourt/slots/schema';

const isValid = (schema: Schema<unknown, unknown>, value: unknown): boolean => {
  try {
    schema(value);
    return true;
  } catch (error) {
    if (error instanceof ValidationError) return false;
    throw error;
  }
};

describe('event schemas', () => {
  it.each<[string, Schema<unknown, unknown>, readonly unknown[], readonly unknown[]]>([
    ['text', text(1, 3), ['a', 'abc'], ['', 'abcd', 1, null, undefined, ['a']]],
    ['number', number(0, 5), [0, 2.5, 5], [-1, 6, Number.NaN, Infinity, '1', null]],
    ['whole', wholeNumber(1, 5), [1, 5], [0, 6, 1.5, Number.NaN, '1']],
    ['flag', boolean, [true, false], ['true', 0, null, undefined]],
    ['oneOf', oneOf(['a', 'b']), ['a', 'b'], ['c', '', undefined, 'toString']],
    ['optional', optional(boolean), [true, undefined], [null, 'x']],
    ['nullable', nullable(boolean), [true, null], [undefined, 'x']],
    ['withDefault', withDefault(boolean, true), [false, undefined], [null, 'x']],
    ['list', list(boolean, 2), [[], [true, false]], [[true, true, true], ['x'], {}, undefined]],
    ['pair', pair(boolean, boolean), [[true, false]], [[true], [true, true, true], ['x', true], {}]],
    [
      'someOf',
      someOf(['a', 'b'], boolean),
      [{}, { a: true }, { a: undefined }],
      [{ c: true }, { a: 1 }, [], null],
    ],
    ['object', object({ a: boolean }), [{ a: true }, { a: true, more: 1 }], [{}, { a: 1 }, [], null, 'a']],
  ])('accepts valid values and refuses others: %s', (_, schema, good, bad) => {
    expect(good.filter((value) => !isValid(schema, value))).toEqual([]);
    expect(bad.filter((value) => isValid(schema, value))).toEqual([]);
  });

  it('passes on only declared keys, with defaults, and nothing inherited', () => {
    const schema = object({ a: boolean, b: optional(boolean), c: withDefault(oneOf(['x', 'y']), 'x') });
    expect(schema({ a: true, b: undefined, more: 1 })).toEqual({ a: true, c: 'x' });
    expect(isValid(schema, Object.create({ a: true }))).toBe(false);
    expect(isValid(object({ constructor: boolean }), {})).toBe(false);
  });

  it('names the path of an invalid value', () => {
    const schema = object({ criteria: object({ filters: someOf(['makeCode'], list(text(0, 3), 9)) }) });
    expect(() => schema({ criteria: { filters: { makeCode: ['ok', 'FORD'] } } })).toThrow(
      'criteria.filters.makeCode[1]: expected text of 0 to 3 characters',
    );
    expect(() => schema(null)).toThrow('payload: expected an object');
  });
});

describe('schemas of all events', () => {
  it('throws only ValidationError for any value, and is idempotent', () => {
    const keys = ['criteria', 'cause', 'listingId', 'name', 'message', 'kind', 'saved', 'wallet', 'id', 'by'];
    const anyPayload = fc.oneof(
      fc.anything(),
      fc.dictionary(fc.constantFrom(...keys), fc.oneof(fc.string(), fc.boolean(), fc.nat(), fc.anything())),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(EVENT_SCHEMAS)), anyPayload, (schema, payload) => {
        if (!isValid(schema, payload)) return;
        const read = schema(payload);
        expect(schema(read)).toEqual(read);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['search.changeRequested', { criteria: emptySearch.criteria, cause: 'x', history: 'push' }],
    ['search.changeRequested', { criteria: emptySearch.criteria, cause: 'x', history: 'replace' }],
    ['search.completed', { requestId: 'r1', totalResultCount: 12 }],
    ['lead.requested', { listingId: '1', kind: 'email' }],
    ['lead.requested', { listingId: '1', kind: 'offer' }],
    ['lead.requested', { listingId: '1', kind: 'call' }],
  ] as const)('passes on %s with %j whole, and refuses it without a part', (name, payload) => {
    const schema: Schema<unknown, unknown> = EVENT_SCHEMAS[name];
    expect(schema(payload)).toEqual(payload);
    for (const key of Object.keys(payload).filter((part) => part !== 'history'))
      expect(isValid(schema, { ...payload, [key]: undefined })).toBe(false);
  });

  it('accepts whole criteria unchanged', () => {
    const criteria = {
      ...emptySearch.criteria,
      filters: { makeCode: ['FORD'], zip: ['60601'] },
      experience: 'commercial' as const,
      unknown: [['utm_source', 'x'] as const],
    };
    expect(EVENT_SCHEMAS['search.changeRequested']({ criteria, cause: 'x' })).toEqual({
      criteria,
      cause: 'x',
      history: 'push',
    });
    for (const broken of [
      { numRecords: 0 },
      { sortBy: 'x' },
      { filters: { x: ['1'] } },
      { unknown: [['a']] },
    ])
      expect(
        isValid(EVENT_SCHEMAS['search.changeRequested'], {
          criteria: { ...criteria, ...broken },
          cause: 'x',
        }),
      ).toBe(false);
  });
});
