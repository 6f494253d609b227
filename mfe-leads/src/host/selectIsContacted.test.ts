import { expect, it } from '@jest/globals';
import { buildState } from '@forecourt/shared-contracts/testing';
import { selectIsContacted } from './selectIsContacted.ts';

it('is true for a listing whose seller was contacted', () => {
  const state = buildState({}, { contactedListingIds: ['7'] });
  expect(selectIsContacted('7')(state)).toBe(true);
  expect(selectIsContacted('8')(state)).toBe(false);
});
