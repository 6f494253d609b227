import { BODY_STYLES, FUEL_GROUPS, SELLER_TYPES } from '@forecourt/upstream/codes';
import type { CallResponses } from '@forecourt/upstream/calls';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import type { Spin } from '../../domain/callTypes.ts';
import type { PictureSource } from '../content/pictureRoutes.ts';
import { PACKAGES, TRUCK_BEDS, TRUCK_CABS } from '../../domain/labels.ts';
import {
  type StockListing,
  type StockOwner,
  combinedMpg,
  derivedPrice,
  vehicleName,
  type StockPhoto,
} from '../../domain/stock.ts';
import { FACET_NAMES, codesOf } from '../listingIndex/listingIndex.ts';
import { esntialOf, paymentServicesOf, paymentsFor } from '../../domain/payments.ts';
import { defaultPhotoPath } from '../../inventory/index.ts';
import type { Place } from '../../domain/places/index.ts';
import type { MarketPrice } from './marketPrices.ts';
import { certifiedProductOf, productTilesOf, urgencyOf } from './badges.ts';

const MS_PER_DAY = 86_400_000;

interface PresentContext {
  /** Days since 1970-01-01 UTC. */
  readonly today: number;
  /** Center of the search. */
  readonly place?: Place;
  /** Miles from it. */
  readonly distance?: number;
  /** A single listing: carries all photos and the history of its price. */
  readonly isDetail?: boolean;
  /** What similar vehicles cost. */
  readonly market?: MarketPrice | undefined;
  /** Filters for which the listing carries its codes. */
  readonly namedFilters?: readonly string[];
}

/** Turns stored listings and owners into the shapes of the responses. */
export interface Presenter {
  /** With the fields of both specifications' shapes. */
  listing(stock: StockListing, owner: StockOwner, context: PresentContext): Listing;
  /** With the fields of both specifications' shapes. `distance` in miles. */
  owner(owner: StockOwner, distance?: number): Owner;
  /** How a vehicle that is no longer for sale was listed. */
  removed(stock: StockListing): NonNullable<CallResponses['vehicleModel']>['removed'];
  /** The 360° view; undefined for a vehicle without one. */
  spin(stock: StockListing): Spin | undefined;
}

export const daysOf = (milliseconds: number): number => Math.floor(milliseconds / MS_PER_DAY);

/** '2021 Ford F150 XLT w/ Tow Package'; the page cuts what follows ' w/'. */
function titleOf(stock: StockListing): string {
  const [first] = stock.packages;
  if (!first) return vehicleName(stock);
  const label = PACKAGES[first] ?? first;
  return `${vehicleName(stock)} w/ ${/package$/i.test(label) ? label : `${label} Package`}`;
}

/** Private sellers stay anonymous. */
const sellerName = (owner: StockOwner): string => (owner.sellerType === 'p' ? SELLER_TYPES.p : owner.name);

const toTenth = (miles: number | undefined) =>
  miles === undefined ? undefined : Math.round(miles * 10) / 10;

/** Photos of a listing within a list; a page of its own shows all. */
const PHOTOS_IN_LISTS = 8;

/** '2021 Ford F-150 XLT in blue, photo 2 of 7': feeds don't say what a photo shows. */
function photosOf(stock: StockListing, photos: readonly StockPhoto[], shown: number): Listing['images'] {
  const color = stock.extColor ? ` in ${stock.extColor.toLowerCase().replaceAll('_', ' ')}` : '';
  return {
    primary: 0,
    sources: photos.slice(0, shown).map((photo, at) => ({
      src: defaultPhotoPath(photo),
      alt: `${vehicleName(stock)}${color}, photo ${at + 1} of ${photos.length}`,
      width: photo.width,
      height: photo.height,
      widths: [...photo.widths],
      color: photo.color,
      // Of the others, the color is enough.
      ...(at === 0 && { preview: photo.blur }),
    })),
  };
}

/** Pictures of the listing, with alternative texts: its photos, else drawings. */
function imagesOf(stock: StockListing, pictures: PictureSource, hasAll: boolean): Listing['images'] {
  const { photos } = stock;
  if (photos) return photosOf(stock, photos, hasAll ? photos.length : PHOTOS_IN_LISTS);
  const name = `${stock.year} ${stock.make.name} ${stock.model.name}`;
  return {
    primary: 0,
    sources: pictures.gallery(stock).map(({ src, view }) => ({ src, alt: `${name}, ${view}` })),
  };
}

/** Prices with their first days; without recorded changes, those that the last reduction tells. */
function priceHistoryOf(
  { prices, previousPrice, reducedOn, listedOn }: StockListing,
  price: number | undefined,
) {
  const known =
    prices ??
    (previousPrice !== undefined && reducedOn !== undefined && price !== undefined
      ? [[listedOn, previousPrice] as const, [reducedOn, price] as const]
      : []);
  return known.map(([day, amount]) => ({
    on: new Date(day * MS_PER_DAY).toISOString().slice(0, 10),
    price: amount,
  }));
}

function pricingOf(stock: StockListing, { isDetail, market }: PresentContext): Listing['pricingDetail'] {
  const { incentive, salePrice, msrp, previousPrice, dealIndicator } = stock;
  const price = derivedPrice(stock);
  return {
    incentive,
    salePrice,
    msrp,
    derivedPrice: price,
    previousPrice,
    dealIndicator,
    ...(market && { market: { ...market } }),
    ...(price !== undefined && { payments: paymentsFor(price) }),
    ...(isDetail && { history: priceHistoryOf(stock, price) }),
  };
}

function vehicleFields(stock: StockListing) {
  const { make, model, trim, bodyStyle, fuel, mileage } = stock;
  return {
    listingType: stock.listingType,
    year: stock.year,
    make,
    model,
    trim,
    makeCode: make.code,
    modelCode: model.code,
    seriesCode: stock.series?.code,
    bodyStyles: bodyStyle ? [{ code: bodyStyle, name: BODY_STYLES[bodyStyle].label }] : [],
    vehicleStyleCodes: bodyStyle ? [bodyStyle] : [],
    fuelType: fuel ? { code: fuel, name: FUEL_GROUPS[fuel] } : { code: '', name: '' },
    fuelTypeGroup: fuel ?? '',
    driveType: stock.drive,
    mileage: mileage === undefined ? undefined : { value: mileage },
    specifications: {
      mileage,
      mpg: combinedMpg(stock),
      mileRange: stock.electricRange,
      engine: stock.engineName,
      driveType: stock.drive,
      transmission: stock.transmission,
    },
    mpgCity: stock.mpgCity,
    mpgHighway: stock.mpgHighway,
    color: { exteriorColorSimple: stock.extColor, interiorColorSimple: stock.intColor },
    engine: { code: stock.engineCode, name: stock.engineName },
    doors: stock.doors,
    truckBedLength: stock.truckBedLength,
    displacementUOM: stock.engineDisplacement,
  };
}

const namedCode = (labels: Readonly<Record<string, string>>, code: string | undefined) =>
  code === undefined ? undefined : { code, name: labels[code] ?? code };

/** What the page of a vehicle says in addition. */
const detailFields = ({ seats, bodyStyle, bodySubtype, truckBedLength }: StockListing) => ({
  seats,
  truckCab: bodyStyle === 'TRUCKS' ? namedCode(TRUCK_CABS, bodySubtype) : undefined,
  truckBed: namedCode(TRUCK_BEDS, truckBedLength),
});

function sellerFields(owner: StockOwner) {
  const isDealer = owner.sellerType === 'd';
  return {
    ownerId: owner.id,
    owner: {
      id: owner.id,
      privateSeller: !isDealer,
      phone: owner.phone === undefined ? undefined : { value: owner.phone },
      dealerPreferredCTA: owner.preferredCta,
    },
    phone: owner.phone,
    ownerName: sellerName(owner),
    website: isDealer && owner.website ? { href: owner.website } : undefined,
    accelerate: isDealer && owner.homeServices.includes('BUY_ONLINE'),
  };
}

/** The vehicle's codes for the named filters that compare codes. */
const filterCodesOf = (stock: StockListing, owner: StockOwner, names: readonly string[]) =>
  Object.fromEntries(
    FACET_NAMES.filter((name) => names.includes(name)).map((name) => [
      name,
      [...codesOf(name, stock, owner)],
    ]),
  );

function presentOwner(owner: StockOwner, distance: number | undefined, pictures: PictureSource): Owner {
  const isPrivate = owner.sellerType === 'p';
  const logo = isPrivate ? undefined : pictures.logo(owner.name);
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
        // Private sellers share their street address on their own.
        address1: isPrivate ? undefined : owner.address,
        city: owner.city,
        state: owner.state,
        zip: owner.zip,
      },
    },
    distanceFromSearch: toTenth(distance),
    dma: owner.dma,
    rating: owner.rating,
    homeServices: [...owner.homeServices],
    shippingLabel: owner.homeServices.includes('HOME_DELIVERY') ? 'Home Delivery' : undefined,
    dealerPreferredCTA: owner.preferredCta,
    hideEmailForm: owner.hideEmailForm,
    dealerDiff:
      owner.tagline === undefined
        ? undefined
        : { tagline: owner.tagline, contentId: owner.id, tile: pictures.logo(owner.name) },
  };
}

export function createPresenter(pictures: PictureSource): Presenter {
  return {
    listing(stock, owner, context) {
      const price = derivedPrice(stock);
      const vdpBaseUrl = `/cars-for-sale/vehicle/${encodeURIComponent(stock.id)}`;
      return {
        id: stock.id,
        vin: stock.vin,
        stockNumber: stock.stockNumber,
        title: titleOf(stock),
        vdpBaseUrl,
        ...vehicleFields(stock),
        ...(context.isDetail && detailFields(stock)),
        ...sellerFields(owner),
        pricingDetail: pricingOf(stock, context),
        images: imagesOf(stock, pictures, context.isDetail === true),
        viewCount: stock.viewCount,
        isReducedPrice:
          price !== undefined && stock.previousPrice !== undefined && stock.previousPrice > price,
        isHot: stock.isHot,
        hasSpecialOffer: stock.hasSpecialOffer,
        fyuseId: stock.fyuseId,
        daysListed: Math.max(0, context.today - stock.listedOn),
        distance: toTenth(context.distance),
        features: [...stock.features],
        ...(context.namedFilters && { filterCodes: filterCodesOf(stock, owner, context.namedFilters) }),
        marketExtension: stock.extendedDelivery
          ? { imeDmaMatch: context.place?.dma === owner.dma, parentOwnerId: owner.id }
          : undefined,
        vehicleHighlight: urgencyOf(stock, context.today),
        certifiedProduct: certifiedProductOf(stock),
        productTiles: productTilesOf(stock, owner, vdpBaseUrl, pictures),
        paymentServices: paymentServicesOf(stock, owner),
        esntial: esntialOf(stock, owner),
      };
    },
    removed(stock) {
      const [image] = imagesOf(stock, pictures, false).sources;
      return {
        title: vehicleName(stock),
        ...(image && { image: { src: image.src, alt: image.alt } }),
        price: derivedPrice(stock),
        mileage: stock.mileage,
      };
    },
    owner: (owner, distance) => presentOwner(owner, distance, pictures),
    spin(stock) {
      const frames = stock.fyuseId === undefined ? [] : pictures.spinFrames(stock);
      return frames.length > 0 ? { fyuseId: stock.fyuseId!, frames: [...frames] } : undefined;
    },
  };
}
