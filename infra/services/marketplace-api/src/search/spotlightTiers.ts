export const SPOTLIGHT_TIERS = ['premium', 'featured', 'standard'] as const;

export type SpotlightTier = (typeof SPOTLIGHT_TIERS)[number];
