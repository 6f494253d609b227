import type { Listing } from '@forecourt/shared-contracts/entities';
import { BODY_STYLES, FUEL_GROUPS } from '@forecourt/shared-contracts/entities/codes';
import { PACKAGES } from '../catalogue/labels.ts';
import type { StockListing, StockOwner } from '../domain/stock.ts';
import { codesOf, combinedMpg, derivedPrice, FACET_NAMES } from '../index/facets.ts';
import { esntialOf, paymentServicesOf } from './commerce.ts';
import { listingImages } from './images.ts';
import { sellerName } from './ownerPresenter.ts';
import { paymentsFor } from './payments.ts';
import type { Place } from './places.ts';
import { certifiedProductOf, productTilesOf } from './productTiles.ts';
import { urgencyOf } from './urgency.ts';

const MS_PER_DAY = 86_400_000;

export interface PresentContext {
  /** Days since 1970-01-01 UTC. */
  readonly today: number;
  /** Where the search is centred. */
  readonly place?: Place;
  /** Miles from there. */
  readonly distance?: number;
  /** Filters whose codes the listing shall name. */
  readonly namedFilters?: readonly string[];
}

export const daysOf = (milliseconds: number): number => Math.floor(milliseconds / MS_PER_DAY);

/** '2021 Ford F150 XLT w/ Tow Package' (A3-LISTING-02): what follows ' w/' is cut by the page. */
export function titleOf({ year, make, model, trim, packages }: StockListing): string {
  const name = [year, make.name, model.name, trim?.name].filter(Boolean).join(' ');
  const first = packages[0];
  if (!first) return name;
  const label = PACKAGES[first] ?? first;
  return `${name} w/ ${/package$/i.test(label) ? label : `${label} Package`}`;
}

function pricingOf(stock: StockListing): Listing['pricingDetail'] {
  const { incentive, salePrice, msrp, previousPrice, dealIndicator } = stock;
  const price = derivedPrice(stock);
  return {
    incentive,
    salePrice,
    msrp,
    derivedPrice: price,
    previousPrice,
    dealIndicator,
    ...(price !== undefined && { payments: paymentsFor(price) }),
  };
}

/** The vehicle's codes for those of the filters which compare codes; of others none. */
const filterCodesOf = (stock: StockListing, owner: StockOwner, names: readonly string[]) =>
  Object.fromEntries(
    FACET_NAMES.filter((name) => names.includes(name)).map((name) => [
      name,
      [...codesOf(name, stock, owner)],
    ]),
  );

/** A listing as the answers carry it, with the fields of both specs' shapes (AMB-010). */
export function present(stock: StockListing, owner: StockOwner, context: PresentContext): Listing {
  const { make, model, trim, bodyStyle, fuel, mileage } = stock;
  const price = derivedPrice(stock);
  const isDealer = owner.sellerType === 'd';
  const vdpBaseUrl = `/cars-for-sale/vehicle/${encodeURIComponent(stock.id)}`;
  return {
    id: stock.id,
    vin: stock.vin,
    title: titleOf(stock),
    ownerId: stock.ownerId,
    owner: {
      id: owner.id,
      privateSeller: !isDealer,
      phone: owner.phone === undefined ? undefined : { value: owner.phone },
      dealerPreferredCTA: owner.preferredCta,
    },
    vdpBaseUrl,
    listingType: stock.listingType,
    year: stock.year,
    make,
    model,
    trim,
    makeCode: make.code,
    modelCode: model.code,
    bodyStyles: [{ code: bodyStyle, name: BODY_STYLES[bodyStyle].label }],
    vehicleStyleCodes: [bodyStyle],
    fuelType: { code: fuel, name: FUEL_GROUPS[fuel] },
    fuelTypeGroup: fuel,
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
    pricingDetail: pricingOf(stock),
    images: listingImages(stock),
    phone: owner.phone,
    ownerName: sellerName(owner),
    website: isDealer && owner.website ? { href: owner.website } : undefined,
    viewCount: stock.viewCount,
    isReducedPrice: price !== undefined && stock.previousPrice !== undefined && stock.previousPrice > price,
    isHot: stock.isHot,
    hasSpecialOffer: stock.hasSpecialOffer,
    fyuseId: stock.fyuseId,
    daysListed: Math.max(0, context.today - stock.listedOn),
    distance: context.distance === undefined ? undefined : Math.round(context.distance * 10) / 10,
    features: [...stock.features],
    ...(context.namedFilters && { filterCodes: filterCodesOf(stock, owner, context.namedFilters) }),
    accelerate: isDealer && owner.homeServices.includes('BUY_ONLINE'),
    marketExtension: stock.extendedDelivery
      ? { imeDmaMatch: context.place?.dma === owner.dma, parentOwnerId: owner.id }
      : undefined,
    vehicleHighlight: urgencyOf(stock, context.today),
    certifiedProduct: certifiedProductOf(stock),
    productTiles: productTilesOf(stock, owner, vdpBaseUrl),
    paymentServices: paymentServicesOf(stock, owner),
    esntial: esntialOf(stock, owner),
  };
}
