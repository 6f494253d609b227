import type { BODY_STYLES, LISTING_TYPES, SELLER_TYPES } from '@forecourt/shared-contracts/entities/codes';

export type BodyStyle = keyof typeof BODY_STYLES;
export type ListingType = (typeof LISTING_TYPES)[number];
export type SellerType = keyof typeof SELLER_TYPES;
