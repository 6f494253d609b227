import { DEFAULT_PATH } from '@forecourt/search/criteria';
import { formatNumber } from '@forecourt/search/format';
import { formatPrice } from '@forecourt/search/payments';
import { defineSlot, type SlotModule } from '@forecourt/slots';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import {
  loadVehicle,
  type VehicleData,
  crumbsOf,
  vehiclePath,
  type VehicleForSale,
} from '../vehicle/loadVehicle.ts';
import { VehicleView } from '../vehicle/VehicleView.tsx';
import { codeInWords, labelOf, sellerPlace, TRANSMISSION_LABELS, vinOf } from '../listing/facts.ts';
import { SEARCH_PARAM } from '../vehicle/returnToSearch.ts';
import { SoldVehicle, UnknownVehicle } from '../vehicle/UnavailableVehicle.tsx';

/** '2021 Ford F-150 XLT - $32,995, 12,345 miles, Chicago, IL': titles of the same trim differ. */
const titleOf = (listing: Listing, owner: Owner): string => {
  const facts = [
    formatPrice(listing.pricingDetail.derivedPrice),
    listing.mileage && `${formatNumber(listing.mileage.value)} miles`,
    sellerPlace(owner),
  ];
  return `${listing.title} - ${facts.filter(Boolean).join(', ')}`;
};

const descriptionOf = (listing: Listing, owner: Owner): string =>
  [
    `${listing.title} for ${formatPrice(listing.pricingDetail.derivedPrice)}`,
    listing.mileage && `${formatNumber(listing.mileage.value)} miles`,
    sellerPlace(owner),
    `sold by ${owner.ownerName}`,
  ]
    .filter(Boolean)
    .join(', ');

/** The page's head, or the redirect to comparable results when the vehicle is no longer for sale. */
export function vehicleHead(data: VehicleData): NonNullable<ReturnType<NonNullable<SlotModule['page']>>> {
  if (data.kind === 'gone') return { redirect: data.redirect, status: 301 };
  if (data.kind === 'sold')
    return {
      title: data.removed ? `${data.removed.title}, no longer for sale` : 'Vehicle no longer for sale',
      description: '',
      canonical: data.modelUrl,
      isIndexed: false,
      status: 410,
    };
  if (data.kind === 'unknown')
    return {
      title: 'Vehicle not found',
      description: '',
      canonical: DEFAULT_PATH,
      isIndexed: false,
      status: 404,
    };
  const { listing, owner, searchUrl } = data;
  const path = vehiclePath(listing.id);
  const [first] = listing.images.sources;
  return {
    title: titleOf(listing, owner),
    description: descriptionOf(listing, owner),
    canonical: path,
    isIndexed: true,
    // A photo has variants: its own element asks for the right one.
    heroImage: first?.widths ? undefined : first?.src,
    shareImage: `/pictures/share/vehicles/${encodeURIComponent(listing.id)}.jpg`,
    // Keeps the way back to the search after signing in.
    returnPath: searchUrl ? `${path}?${new URLSearchParams({ [SEARCH_PARAM]: searchUrl })}` : path,
  };
}

/** The values that search engines read; 'AWD4WD' may be either of two, so it is left out. */
const DRIVE_CONFIGURATIONS: Readonly<Record<string, string>> = {
  FWD: 'https://schema.org/FrontWheelDriveConfiguration',
  RWD: 'https://schema.org/RearWheelDriveConfiguration',
};

/**
 * The listing as schema.org's Car, with the properties of a vehicle listing
 * (https://developers.google.com/search/docs/appearance/structured-data/vehicle-listing).
 * Search engines reject an offer without a price, so it is omitted.
 */
function carOf(listing: Listing, owner: Owner): object {
  const url = listing.vdpBaseUrl ?? vehiclePath(listing.id);
  const price = listing.pricingDetail.derivedPrice;
  const images = listing.images.sources.map(({ src }) => src);
  const engine = listing.engine.name ?? listing.specifications.engine;
  const transmission = labelOf(TRANSMISSION_LABELS, listing.specifications.transmission);
  const color = codeInWords(listing.color.exteriorColorSimple);
  const interior = codeInWords(listing.color.interiorColorSimple);
  const [bodyType] = listing.bodyStyles;
  const vin = vinOf(listing);
  const drive = DRIVE_CONFIGURATIONS[listing.driveType ?? ''];
  const itemCondition = `https://schema.org/${listing.listingType === 'NEW' ? 'NewCondition' : 'UsedCondition'}`;
  return {
    '@type': 'Car',
    name: listing.title,
    description: descriptionOf(listing, owner),
    url,
    ...(images.length > 0 && { image: images }),
    brand: { '@type': 'Brand', name: listing.make.name },
    model: listing.model.name,
    vehicleModelDate: String(listing.year),
    ...(vin && { vehicleIdentificationNumber: vin }),
    itemCondition,
    ...(listing.trim && { vehicleConfiguration: listing.trim.name }),
    ...(bodyType && { bodyType: bodyType.name }),
    ...(color && { color }),
    ...(interior && { vehicleInteriorColor: interior }),
    ...(drive && { driveWheelConfiguration: drive }),
    vehicleEngine: {
      '@type': 'EngineSpecification',
      ...(engine && { name: engine }),
      ...(listing.fuelType.name && { fuelType: listing.fuelType.name }),
    },
    ...(transmission && { vehicleTransmission: transmission }),
    ...(listing.fuelType.name && { fuelType: listing.fuelType.name }),
    ...(listing.doors !== undefined && { numberOfDoors: listing.doors }),
    ...(listing.mileage && {
      // UN/CEFACT code SMI: statute mile.
      mileageFromOdometer: { '@type': 'QuantitativeValue', value: listing.mileage.value, unitCode: 'SMI' },
    }),
    ...(price !== undefined && {
      offers: {
        '@type': 'Offer',
        price,
        priceCurrency: 'USD',
        availability: 'https://schema.org/InStock',
        itemCondition,
        url,
        seller: { '@type': owner.privateSeller ? 'Person' : 'AutoDealer', name: owner.ownerName },
      },
    }),
  };
}

/** JSON-LD: the car with its offer, and the page's breadcrumbs. URLs are relative to the site's root. */
export function vehicleStructuredData(vehicle: VehicleForSale): object {
  return {
    '@context': 'https://schema.org',
    '@graph': [
      carOf(vehicle.listing, vehicle.owner),
      {
        '@type': 'BreadcrumbList',
        itemListElement: crumbsOf(vehicle).map(({ name, path }, index) => ({
          '@type': 'ListItem',
          position: index + 1,
          name,
          item: path,
        })),
      },
    ],
  };
}

/** Main slot of `GET /cars-for-sale/vehicle/{listingId}`. */
export default defineSlot<VehicleData>({
  reads: ['page', 'session'],
  load: loadVehicle,
  page: ({ data }) => vehicleHead(data),
  structuredData: ({ data }) => (data.kind === 'forSale' ? vehicleStructuredData(data) : undefined),
  view: ({ data }) =>
    data?.kind === 'forSale' ? (
      <VehicleView {...data} />
    ) : data?.kind === 'sold' ? (
      <SoldVehicle {...data} />
    ) : data?.kind === 'unknown' ? (
      <UnknownVehicle searchUrl={data.searchUrl} />
    ) : null,
});
