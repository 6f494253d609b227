import type {
  Filter,
  Listing,
  ListingsResponse,
  Owner,
  SearchResponse,
} from '@forecourt/shared-contracts/entities';

// `Prefer: return=minimal`: responses without what their schemas in shared-contracts restore, a tenth to a fifth of a
// page's JSON. `toListing` and `toOwner` fill one shape of the specifications from the other (AMB-010, AMB-011);
// `undefined` is not serialized.

const unlessFalse = (value: boolean | undefined): true | undefined => value || undefined;

function minimalListing(listing: Listing): object {
  const { specifications, pricingDetail, bodyStyles, isReducedPrice, isHot, hasSpecialOffer } = listing;
  return {
    ...listing,
    makeCode: undefined,
    modelCode: undefined,
    vehicleStyleCodes: bodyStyles.length > 0 ? undefined : listing.vehicleStyleCodes,
    fuelTypeGroup: undefined,
    specifications: { ...specifications, mileage: undefined, driveType: undefined, engine: undefined },
    pricingDetail: { ...pricingDetail, derivedPrice: undefined },
    isReducedPrice: unlessFalse(isReducedPrice),
    isHot: unlessFalse(isHot),
    hasSpecialOffer: unlessFalse(hasSpecialOffer),
  };
}

const minimalOwner = (owner: Owner): object => ({
  ...owner,
  ownerName: undefined,
  logo: owner.images?.sources.length ? undefined : owner.logo,
});

const minimalFilter = (filter: Filter): object => ({
  ...filter,
  options: filter.options.map((option) => ({
    ...option,
    selected: unlessFalse(option.selected),
    disabled: unlessFalse(option.disabled),
  })),
});

/** The response of the spotlight, highlight, similar and boost calls. */
export const minimalListings = ({ listings, owners, ...rest }: ListingsResponse): object => ({
  ...rest,
  listings: listings.map(minimalListing),
  owners: owners.map(minimalOwner),
});

/** The response of `GET /rest/lsc/listing`. */
export const minimalSearch = ({ alpha, ...response }: SearchResponse): object => ({
  ...response,
  ...minimalListings(response),
  filters: response.filters.map(minimalFilter),
  boost: response.boost.map(minimalListing),
  ...(alpha && {
    alpha: {
      alphaShowcase: { ...alpha.alphaShowcase, listings: alpha.alphaShowcase.listings.map(minimalListing) },
      ownerBean: minimalOwner(alpha.ownerBean),
    },
  }),
});
