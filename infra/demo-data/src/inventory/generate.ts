import { msrpIn, type CatalogMake, type Variant } from '@forecourt/marketplace-api/catalog';
import { nearestMetro } from '@forecourt/marketplace-api/metros';
import { createZipDirectory, type ZipDirectory } from '@forecourt/marketplace-api/places';
import type { StockListing, StockOwner } from '@forecourt/marketplace-api/stock';
import { catalog } from '../catalog/catalog.ts';
import { phoneNumber, planDealers, planMarkets, type Dealer } from './dealers.ts';
import {
  chooseFeatures,
  chooseHistory,
  choosePackages,
  chooseTruckBody,
  EXTERIOR_COLORS,
  INTERIOR_COLORS,
  richnessOf,
} from './equipment.ts';
import { askingPrice, type Price } from './pricing.ts';
import { createRandom, weightedChoice, type Random } from './random.ts';
import {
  chooseCondition,
  chooseMileage,
  chooseTransmission,
  createVehicleChoice,
  type ChosenVehicle,
} from './vehicleChoice.ts';
import { composeVin } from './vin.ts';

export interface InventoryOptions {
  /** Number of listings. */
  readonly size: number;
  /** A whole number; the same seed, size and day give the same inventory. */
  readonly seed: number;
  readonly today: Date;
  /** A loaded directory, so that the table of ZIP codes is read once. */
  readonly zips?: ZipDirectory;
}

/** Incremented when the generator makes other listings from the same seed. */
export const GENERATOR_VERSION = 4;

const LISTINGS_PER_DEALER = 60;
const PRIVATE_SHARE = 0.08;
const MS_PER_DAY = 86_400_000;
const FIRST_ID = 700_000_001;
const PRIVATE_OWNER_PREFIX = 'P';

/** All sellers: dealers first, then one private seller for each listing without a dealer. */
export function* generateOwners(options: InventoryOptions): Iterable<StockOwner> {
  const plan = new InventoryPlan(options);
  for (const dealer of plan.dealers) yield dealer.owner;
  for (let index = 0; index < options.size; index += 1) {
    if (plan.isPrivate(index)) yield plan.privateOwner(index);
  }
}

/**
 * The generated inventory. Every listing has its own random stream, so that it
 * does not depend on the order of generation. Each `ownerId` is one of
 * `generateOwners` with the same options.
 */
export function* generateInventory(options: InventoryOptions): Iterable<StockListing> {
  const plan = new InventoryPlan(options);
  for (let index = 0; index < options.size; index += 1) yield plan.listing(index);
}

/** When, how long and for how much a vehicle is offered. */
interface Offer {
  readonly isNew: boolean;
  /** Years. */
  readonly age: number;
  readonly msrp: number;
  readonly mileage: number;
  readonly price: Price;
  readonly daysListed: number;
  readonly viewsPerDay: number;
}

class InventoryPlan {
  readonly dealers: readonly Dealer[];
  private readonly seed: number;
  /** Days since 1970-01-01 UTC. */
  private readonly today: number;
  /** The current year with its elapsed part as a fraction. */
  private readonly yearsElapsed: number;
  private readonly dealerChoice;
  private readonly marketChoice;
  private readonly chooseVehicle;

  constructor({ size, seed, today, zips = createZipDirectory() }: InventoryOptions) {
    const currentYear = today.getUTCFullYear();
    const markets = planMarkets(zips);
    const dealerCount = Math.max(1, Math.round((size * (1 - PRIVATE_SHARE)) / LISTINGS_PER_DEALER));
    this.seed = seed;
    this.today = Math.floor(today.getTime() / MS_PER_DAY);
    this.yearsElapsed = currentYear + (this.today - Date.UTC(currentYear, 0, 1) / MS_PER_DAY) / 365.25;
    this.dealers = planDealers(seed, dealerCount, markets, currentYear);
    this.dealerChoice = weightedChoice(this.dealers, (dealer) => dealer.weight);
    this.marketChoice = weightedChoice(markets, (market) => market.population);
    this.chooseVehicle = createVehicleChoice(currentYear);
  }

  isPrivate(index: number): boolean {
    return createRandom(this.seed, index).next() < PRIVATE_SHARE;
  }

  privateOwner(index: number): StockOwner {
    const random = createRandom(this.seed ^ 0x5eed, index);
    const { city, state, zip, latitude, longitude } = random.pick(this.marketChoice.draw(random).places);
    return {
      id: `${PRIVATE_OWNER_PREFIX}${FIRST_ID + index}`,
      name: 'Private Seller',
      sellerType: 'p',
      ...(random.chance(0.6) && { phone: phoneNumber(random) }),
      city,
      state,
      zip,
      latitude,
      longitude,
      dma: nearestMetro(latitude, longitude).dma,
      homeServices: [],
      preferredCta: 'email',
      hideEmailForm: false,
      isAlpha: false,
    };
  }

  // The order of the draws is part of the inventory: reordering them makes other listings.
  listing(index: number): StockListing {
    const random = createRandom(this.seed, index);
    const dealer = random.next() < PRIVATE_SHARE ? undefined : this.dealerChoice.draw(random);
    const listingType = chooseCondition(dealer, random);
    const vehicle = this.chooseVehicle(random, dealer, listingType);
    const { model, trim, variant, year } = vehicle;
    const make = catalog.findMake(model.makeCode);
    if (!make) throw new RangeError(`No make ${model.makeCode}`);
    const offer = this.offer(random, make, vehicle, listingType);
    const { isNew, age, price, daysListed, viewsPerDay } = offer;
    const [drive, transmission] = [random.pick(variant.drives), chooseTransmission(random, variant)];
    const reduction = this.reduction(random, offer);
    return {
      id: String(FIRST_ID + index),
      vin: composeVin(make.wmi, year, random.int(0, 30_000_000), index),
      stockNumber: `${isNew ? 'N' : 'U'}${random.int(10_000, 99_999)}${index % 10}`,
      ownerId: dealer?.owner.id ?? `${PRIVATE_OWNER_PREFIX}${FIRST_ID + index}`,
      listingType,
      year,
      make: { code: make.code, name: make.name },
      model: { code: model.code, name: model.name },
      ...(model.series && { series: model.series }),
      trim: { code: trim.code, name: trim.name },
      drive,
      transmission,
      ...variantFields(variant),
      ...chooseTruckBody(random, variant),
      extColor: EXTERIOR_COLORS.draw(random),
      intColor: INTERIOR_COLORS.draw(random),
      mileage: offer.mileage,
      ...(isNew && { msrp: offer.msrp }),
      ...price,
      ...rebate(random, offer),
      ...reduction,
      features: chooseFeatures(random, variant, year, richnessOf(make, model, trim)),
      packages: choosePackages(random, variant),
      history: isNew ? [] : chooseHistory(random, age),
      listedOn: this.today - daysListed,
      viewCount: Math.round(viewsPerDay * (daysListed + 0.5)),
      isHot: viewsPerDay > 9,
      hasSpecialOffer: Boolean(dealer) && random.chance(isNew ? 0.14 : 0.02),
      ...(dealer && random.chance(0.12) && { fyuseId: `fy${this.seed}-${index.toString(36)}` }),
      isCommercial: variant.isCommercial,
      moneyBack: Boolean(dealer?.givesMoneyBack) && !isNew,
      extendedDelivery: dealer?.deliversFar ?? false,
      ...(dealer && choosePaidTier(random)),
    };
  }

  private offer(
    random: Random,
    make: CatalogMake,
    { variant, year }: ChosenVehicle,
    listingType: StockListing['listingType'],
  ): Offer {
    const isNew = listingType === 'NEW';
    const age = Math.max(0.15, this.yearsElapsed - (year - 0.25));
    const mileage = chooseMileage(random, listingType, age);
    const msrp = Math.round((msrpIn(variant, year) * (1.01 + random.next() * 0.06)) / 5) * 5;
    const worth = {
      makeCode: make.code,
      isLuxury: make.isLuxury,
      isTruck: variant.bodyStyle === 'TRUCKS',
      fuel: variant.fuel,
      listingType,
      msrp,
      age,
      mileage,
    };
    const price = random.chance(0.985) ? askingPrice(random, worth) : {};
    const daysListed = Math.min(200, Math.floor(-Math.log(1 - random.next()) * (isNew ? 48 : 34)));
    const viewsPerDay = Math.exp(random.normal() * 0.9) * (price.dealIndicator === 'Great' ? 4 : 2);
    return { isNew, age, msrp, mileage, price, daysListed, viewsPerDay };
  }

  /** Some older used listings were reduced once. */
  private reduction(
    random: Random,
    { isNew, price: { salePrice }, daysListed }: Offer,
  ): Pick<StockListing, 'previousPrice' | 'reducedOn'> {
    if (isNew || !salePrice || daysListed <= 5 || !random.chance(0.28)) return {};
    return {
      previousPrice: salePrice + random.int(2, Math.max(3, Math.round(salePrice / 1_200))) * 100,
      reducedOn: this.today - random.int(0, Math.min(daysListed - 1, 30)),
    };
  }
}

const variantFields = (variant: Variant) => ({
  bodyStyle: variant.bodyStyle,
  ...(variant.bodySubtype && { bodySubtype: variant.bodySubtype }),
  fuel: variant.fuel,
  ...(variant.engineCode && { engineCode: variant.engineCode }),
  engineName: variant.engineName,
  ...(variant.displacement && { engineDisplacement: variant.displacement }),
  doors: variant.doors,
  seats: variant.seats,
  ...(variant.mpgCity && { mpgCity: variant.mpgCity, mpgHighway: variant.mpgHighway }),
  ...(variant.electricRange && { electricRange: variant.electricRange }),
});

/** A maker's rebate on some new cars. */
const rebate = (random: Random, { isNew, price: { salePrice } }: Offer): Pick<StockListing, 'incentive'> =>
  isNew && salePrice && random.chance(0.22) ? { incentive: salePrice - random.int(1, 10) * 250 } : {};

function choosePaidTier(random: Random): Pick<StockListing, 'spotlightTier' | 'isBoosted'> {
  const draw = random.next();
  if (draw < 0.015) return { spotlightTier: 'premium' };
  if (draw < 0.035) return { spotlightTier: 'featured' };
  if (draw < 0.055) return { spotlightTier: 'standard' };
  return draw < 0.067 ? { isBoosted: true } : {};
}
