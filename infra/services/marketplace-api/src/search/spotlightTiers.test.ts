import { expect, it } from '@jest/globals';
import { SPOTLIGHT_TIERS } from './spotlightTiers.ts';

// rows: B3-SPOT-02
it('names the three spotlight tiers', () => {
  expect(SPOTLIGHT_TIERS).toEqual(['premium', 'featured', 'standard']);
});
