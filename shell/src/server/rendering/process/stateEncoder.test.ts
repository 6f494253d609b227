import { describe, expect, it } from '@jest/globals';
import { sliceState } from '@forecourt/shared-contracts/store';
import { buildState } from '@forecourt/shared-contracts/testing';
import fc from 'fast-check';
import { createStateEncoder } from './protocol.ts';

describe('the encoder of state slices', () => {
  it('writes what JSON.stringify writes, also for parts that it has encoded before', () => {
    const state = buildState();
    const names = [
      'page',
      'session',
      ...Object.keys(state.search).map((name) => `search.${name}`),
      'unknown',
    ];
    const encode = createStateEncoder();
    fc.assert(
      fc.property(fc.subarray(names), (needs) => {
        const slice = sliceState(state, needs);
        expect(JSON.parse(Buffer.concat(encode(slice)).toString())).toEqual(
          JSON.parse(JSON.stringify(slice)),
        );
      }),
    );
  });

  it('leaves out members that are undefined', () => {
    const encode = createStateEncoder();
    const text = (slice: object) => Buffer.concat(encode(slice as never)).toString();
    expect(text({ page: undefined, search: { url: '/x', notice: undefined } })).toBe(
      '{"search":{"url":"/x"}}',
    );
    expect(text({})).toBe('{}');
    expect(text({ page: undefined, search: {} })).toBe('{"search":{}}');
  });

  it('encodes a large part once, for all slices that have it', () => {
    const encode = createStateEncoder();
    const listings = Array.from({ length: 500 }, (_, id) => ({ id, title: 'Š' }));
    const pieces = encode({ search: { listings } } as never);
    expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify({ search: { listings } }));
    const large = pieces.find(({ length }) => length > 5_000);
    expect(encode({ page: {}, search: { listings, url: '/x' } } as never)).toContain(large);
  });
});
