import { describe, expect, it } from '@jest/globals';
import { pointersSchema } from './pointers.ts';

describe('pointers', () => {
  it.each([-1, 101, Number.NaN])('refuses a canary of %d percent', (weight) => {
    const remotes = { 'mfe-x': { live: '1.0.0', canary: { version: '1.1.0', weight } } };
    expect(pointersSchema.safeParse({ revision: 1, remotes }).success).toBe(false);
  });
});
