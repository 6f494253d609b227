import type { Owner } from '@forecourt/shared-contracts/entities';
import { SELLER_TYPES } from '@forecourt/shared-contracts/entities/codes';
import type { StockOwner } from '../domain/stock.ts';
import { logoPath } from '../pictures/badges.ts';

/** A private seller's own name is nobody's business (A3-OWNER-06). */
export const sellerName = (owner: Pick<StockOwner, 'name' | 'sellerType'>): string =>
  owner.sellerType === 'p' ? SELLER_TYPES.p : owner.name;

/** An owner as the answers carry it, with the fields of both specs' shapes (AMB-011). `distance` in miles. */
export function presentOwner(owner: StockOwner, distance?: number): Owner {
  const isPrivate = owner.sellerType === 'p';
  const delivers = owner.homeServices.includes('HOME_DELIVERY');
  const logo = isPrivate ? undefined : logoPath(owner.name);
  return {
    id: owner.id,
    name: sellerName(owner),
    ownerName: sellerName(owner),
    privateSeller: isPrivate,
    phone: owner.phone === undefined ? undefined : { value: owner.phone },
    website: owner.website === undefined ? undefined : { href: owner.website },
    logo: logo === undefined ? undefined : { src: logo },
    images: { sources: logo === undefined ? [] : [{ src: logo, alt: owner.name }] },
    location: {
      address: {
        // The street of a private seller is told by the seller alone.
        address1: isPrivate ? undefined : owner.address,
        city: owner.city,
        state: owner.state,
        zip: owner.zip,
      },
    },
    distanceFromSearch: distance === undefined ? undefined : Math.round(distance * 10) / 10,
    dma: owner.dma,
    rating: owner.rating,
    homeServices: [...owner.homeServices],
    shippingLabel: delivers ? 'Home Delivery' : undefined,
    dealerPreferredCTA: owner.preferredCta,
    hideEmailForm: owner.hideEmailForm,
    dealerDiff:
      owner.tagline === undefined
        ? undefined
        : { tagline: owner.tagline, contentId: owner.id, tile: logoPath(owner.name) },
  };
}
