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
        expect(JSON.parse(encode(slice))).toEqual(JSON.parse(JSON.stringify(slice)));
      }),
    );
  });

  it('leaves out members that are undefined', () => {
    const encode = createStateEncoder();
    expect(encode({ page: undefined, search: { url: '/x', notice: undefined } } as never)).toBe(
      '{"search":{"url":"/x"}}',
    );
    expect(encode({})).toBe('{}');
  });
});
