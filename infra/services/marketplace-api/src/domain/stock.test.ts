import { expect, it } from '@jest/globals';
import { SPOTLIGHT_TIERS } from './stock.ts';

// rows: B3-SPOT-02
it('defines three spotlight tiers', () => {
  expect(SPOTLIGHT_TIERS).toEqual(['premium', 'featured', 'standard']);
});
