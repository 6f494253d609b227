/** What a card shows: enough for its markup, and no more for the browser to hydrate. */
export function cardOf(listing, owners) {
  const owner = owners.get(listing.ownerId);
  const { salePrice, dealIndicator } = listing.pricingDetail ?? {};
  return {
    objectID: listing.id,
    title: listing.title,
    url: listing.vdpBaseUrl,
    type: listing.listingType,
    price: salePrice === undefined ? 'No price' : `$${salePrice.toLocaleString('en-US')}`,
    deal: dealIndicator,
    picture: listing.images.sources[listing.images.primary] ?? listing.images.sources[0],
    facts: [
      listing.mileage && `${listing.mileage.value.toLocaleString('en-US')} mi`,
      listing.driveType,
      listing.fuelType?.name,
      listing.specifications.mpg && `${listing.specifications.mpg} mpg`,
    ].filter(Boolean),
    seller: owner?.name ?? listing.ownerName,
    rating: owner?.rating,
    place: owner && `${owner.location?.address?.city}, ${owner.location?.address?.state}`,
    distance: listing.distance,
    phone: listing.phone,
  };
}

/** Filters whose options both peers show, in the panel's order. */
export const FILTERS = [
  'listingType',
  'makeCode',
  'modelCode',
  'trimCode',
  'driveGroup',
  'fuelTypeGroup',
  'extColorSimple',
];
/** Options of a filter that are shown at first. */
export const MAX_OPTIONS = 10;
