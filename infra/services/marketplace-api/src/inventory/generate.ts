import type { ListingType } from '@forecourt/shared-contracts/entities/codes';
import { findMakeByCode, MODELS, isSoldIn, msrpIn } from '../catalogue/catalogue.ts';
import type { CatalogueModel, CatalogueTrim, Variant } from '../catalogue/types.ts';
import type { StockListing, StockOwner } from '../domain/stock.ts';
import { nearestMetro } from '../places/metros.ts';
import { createZipDirectory, type ZipDirectory } from '../places/zips.ts';
import { planDealers, phoneNumber, type Dealer } from './dealers.ts';
import {
  chooseFeatures,
  chooseHistory,
  choosePackages,
  chooseTruckBody,
  EXTERIOR_COLORS,
  INTERIOR_COLORS,
} from './equipment.ts';
import { planMarkets } from './markets.ts';
import { askingPrice, MILES_PER_YEAR } from './pricing.ts';
import { choiceOf, createRandom, weightedChoice, type Random, type WeightedChoice } from './random.ts';
import { composeVin } from './vin.ts';

export interface InventoryOptions {
  /** Listings to make. */
  readonly size: number;
  /** A whole number; the same seed, size and day give the same inventory. */
  readonly seed: number;
  readonly today: Date;
  /** A directory already loaded, to read the table of ZIP codes only once. */
  readonly zips?: ZipDirectory;
}

const LISTINGS_PER_DEALER = 60;
const PRIVATE_SHARE = 0.08;
const OLDEST_AGE = 15;
const MILLISECONDS_PER_DAY = 86_400_000;
/** A manufacturer certifies nothing older or with more miles (A9-COPY-02). */
const CERTIFIED_MAX_AGE = 6;
const CERTIFIED_MAX_MILEAGE = 80_000;
const FIRST_ID = 700_000_001;
const PRIVATE_OWNER_PREFIX = 'P';

const AT_FRANCHISE = choiceOf<ListingType>({ NEW: 44, CERTIFIED: 22, '3P_CERT': 3.5, USED: 30.5 });
const AT_INDEPENDENT = choiceOf<ListingType>({ NEW: 0, CERTIFIED: 0, '3P_CERT': 12, USED: 88 });
const AT_COMMERCIAL = choiceOf<ListingType>({ NEW: 55, CERTIFIED: 0, '3P_CERT': 5, USED: 40 });
/** How many of the cars for sale are one, two, three, … years old. */
const BY_AGE = [3, 9, 13, 15, 13, 10, 8, 7, 6, 5, 4, 3, 2.2, 1.6, 1.1, 0.8];

/** All sellers: dealers first, then one private seller for each listing without dealer. */
export function* generateOwners(options: InventoryOptions): Iterable<StockOwner> {
  const plan = planInventory(options);
  for (const dealer of plan.dealers) yield dealer.owner;
  for (let index = 0; index < options.size; index += 1) {
    if (plan.isPrivate(index)) yield plan.privateOwner(index);
  }
}

/**
 * The built-in inventory. Every listing is made from its own stream of
 * randomness, so that the listings of one seed do not depend on the order in
 * which they are read. Each `ownerId` is an owner of `generateOwners` with
 * the same options.
 */
export function* generateInventory(options: InventoryOptions): Iterable<StockListing> {
  const plan = planInventory(options);
  for (let index = 0; index < options.size; index += 1) yield plan.listing(index);
}

function planInventory({ size, seed, today, zips = createZipDirectory() }: InventoryOptions) {
  const todayInDays = Math.floor(today.getTime() / MILLISECONDS_PER_DAY);
  const currentYear = today.getUTCFullYear();
  const yearsElapsed =
    currentYear + (todayInDays - Date.UTC(currentYear, 0, 1) / MILLISECONDS_PER_DAY) / 365.25;
  const markets = planMarkets(zips);
  const dealerCount = Math.max(1, Math.round((size * (1 - PRIVATE_SHARE)) / LISTINGS_PER_DEALER));
  const dealers = planDealers(seed, dealerCount, markets, currentYear);
  const dealerChoice = weightedChoice(dealers, (dealer) => dealer.weight);
  const marketChoice = weightedChoice(markets, (market) => market.population);
  const models = createModelChoice();
  const builds = createBuildChoice();

  const isPrivate = (index: number): boolean => createRandom(seed, index).next() < PRIVATE_SHARE;

  function privateOwner(index: number): StockOwner {
    const random = createRandom(seed ^ 0x5eed, index);
    const { city, state, zip, latitude, longitude } = random.pick(marketChoice.draw(random).places);
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

  function listing(index: number): StockListing {
    const random = createRandom(seed, index);
    const dealer = random.next() < PRIVATE_SHARE ? undefined : dealerChoice.draw(random);
    const listingType = conditionAt(dealer, random);
    const { model, trim, variant, year } = chooseVehicle(random, dealer, listingType);
    const make = findMakeByCode(model.makeCode);
    if (!make) throw new RangeError(`No make ${model.makeCode}`);

    const age = Math.max(0.15, yearsElapsed - (year - 0.25));
    const mileage = mileageOf(random, listingType, age);
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
    const isNew = listingType === 'NEW';
    const price = random.chance(0.985) ? askingPrice(random, worth) : {};
    const daysListed = Math.min(200, Math.floor(-Math.log(1 - random.next()) * (isNew ? 48 : 34)));
    const viewsPerDay = Math.exp(random.normal() * 0.9) * (price.dealIndicator === 'Great' ? 4 : 2);
    const trimRichness = richnessOf(model, trim);
    const richness = make.isLuxury ? 0.45 + trimRichness * 0.55 : trimRichness * 0.85;
    const [drive, transmission] = [random.pick(variant.drives), chooseTransmission(random, variant)];
    const reduction =
      !isNew && price.salePrice && daysListed > 5 && random.chance(0.28)
        ? {
            previousPrice:
              price.salePrice + random.int(2, Math.max(3, Math.round(price.salePrice / 1_200))) * 100,
            reducedOn: todayInDays - random.int(0, Math.min(daysListed - 1, 30)),
          }
        : {};
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
      bodyStyle: variant.bodyStyle,
      ...(variant.bodySubtype && { bodySubtype: variant.bodySubtype }),
      fuel: variant.fuel,
      drive,
      transmission,
      ...(variant.engineCode && { engineCode: variant.engineCode }),
      engineName: variant.engineName,
      ...(variant.displacement && { engineDisplacement: variant.displacement }),
      doors: variant.doors,
      seats: variant.seats,
      ...(variant.mpgCity && { mpgCity: variant.mpgCity, mpgHighway: variant.mpgHighway }),
      ...(variant.electricRange && { electricRange: variant.electricRange }),
      ...chooseTruckBody(random, variant),
      extColor: EXTERIOR_COLORS.draw(random),
      intColor: INTERIOR_COLORS.draw(random),
      mileage,
      ...(isNew && { msrp }),
      ...price,
      ...(isNew &&
        price.salePrice &&
        random.chance(0.22) && { incentive: price.salePrice - random.int(1, 10) * 250 }),
      ...reduction,
      features: chooseFeatures(random, variant, year, richness),
      packages: choosePackages(random, variant),
      history: isNew ? [] : chooseHistory(random, age),
      listedOn: todayInDays - daysListed,
      viewCount: Math.round(viewsPerDay * (daysListed + 0.5)),
      isHot: viewsPerDay > 9,
      hasSpecialOffer: Boolean(dealer) && random.chance(isNew ? 0.14 : 0.02),
      ...(dealer && random.chance(0.12) && { fyuseId: `fy${seed}-${index.toString(36)}` }),
      isCommercial: variant.isCommercial,
      moneyBack: Boolean(dealer?.givesMoneyBack) && !isNew,
      extendedDelivery: dealer?.deliversFar ?? false,
      ...(dealer && spotlightOf(random)),
    };
  }

  function chooseVehicle(random: Random, dealer: Dealer | undefined, listingType: ListingType) {
    const year = modelYear(random, listingType, !dealer);
    const makes = makesFor(random, dealer, listingType);
    const { model, year: soldYear } = models.draw(random, makes, year, {
      isCommercial: dealer?.isCommercial ?? false,
      needsThatYear: listingType !== 'NEW',
    });
    return { model, ...builds.draw(random, model, soldYear), year: soldYear };
  }

  function modelYear(random: Random, listingType: ListingType, isPrivateSale: boolean): number {
    if (listingType === 'NEW') {
      const draw = random.next();
      return draw < 0.6 ? currentYear : draw < 0.82 ? currentYear + 1 : currentYear - 1;
    }
    const oldest =
      listingType === 'CERTIFIED' ? CERTIFIED_MAX_AGE : listingType === '3P_CERT' ? 10 : OLDEST_AGE;
    const shift = isPrivateSale ? random.int(0, 5) : 0;
    return (
      currentYear -
      Math.min(oldest, AGES[oldest === CERTIFIED_MAX_AGE ? 'certified' : 'all'].draw(random) + shift)
    );
  }

  return { dealers, isPrivate, privateOwner, listing };
}

const ALL_AGES = BY_AGE.map((_, age) => age);
const AGES = {
  all: weightedChoice(ALL_AGES, (age) => BY_AGE[age] ?? 0),
  certified: weightedChoice(ALL_AGES.slice(0, CERTIFIED_MAX_AGE + 1), (age) => BY_AGE[age] ?? 0),
};

function conditionAt(dealer: Dealer | undefined, random: Random): ListingType {
  if (!dealer) return 'USED';
  if (dealer.isCommercial) return AT_COMMERCIAL.draw(random);
  return (dealer.franchises.length > 0 ? AT_FRANCHISE : AT_INDEPENDENT).draw(random);
}

/** New and certified cars are of the dealer's makes, and so are half of its trade-ins. */
function makesFor(random: Random, dealer: Dealer | undefined, listingType: ListingType): readonly string[] {
  if (!dealer || dealer.franchises.length === 0) return [];
  const isOwnMake = listingType === 'NEW' || listingType === 'CERTIFIED' || random.chance(0.5);
  return isOwnMake ? dealer.franchises : [];
}

function mileageOf(random: Random, listingType: ListingType, age: number): number {
  if (listingType === 'NEW') return random.chance(0.96) ? random.int(2, 60) : random.int(500, 4_000);
  const perYear = MILES_PER_YEAR * Math.exp(random.normal() * 0.38 - 0.07);
  const miles = Math.round(Math.min(260_000, perYear * age) + random.int(50, 900));
  return listingType === 'CERTIFIED' && miles >= CERTIFIED_MAX_MILEAGE
    ? random.int(40_000, CERTIFIED_MAX_MILEAGE - 1)
    : miles;
}

function chooseTransmission(random: Random, variant: Variant): string {
  const [first = 'AUT', second] = variant.transmissions;
  if (!second) return first;
  return random.chance(first === 'MAN' ? 0.6 : 0.88) ? first : second;
}

/** Where a trim stands between the cheapest and the dearest of its model, 0 to 1. */
function richnessOf(model: CatalogueModel, trim: CatalogueTrim): number {
  let low = Infinity;
  let high = 0;
  for (const { msrp } of model.trims) {
    low = Math.min(low, msrp);
    high = Math.max(high, msrp);
  }
  return high === low ? 0.5 : (trim.msrp - low) / (high - low);
}

function spotlightOf(random: Random): Pick<StockListing, 'spotlightTier' | 'isBoosted'> {
  const draw = random.next();
  if (draw < 0.015) return { spotlightTier: 'premium' };
  if (draw < 0.035) return { spotlightTier: 'featured' };
  if (draw < 0.055) return { spotlightTier: 'standard' };
  return draw < 0.067 ? { isBoosted: true } : {};
}

interface ModelNeed {
  readonly isCommercial: boolean;
  /** Otherwise the nearest year on sale may stand in. */
  readonly needsThatYear: boolean;
}

/** Draws a model sold in a year, in proportion to its sales, of given makes or of any. */
function createModelChoice() {
  const choices = new Map<string, WeightedChoice<CatalogueModel>>();

  function choiceFor(makes: readonly string[], year: number, isCommercial: boolean) {
    const key = `${makes.join()}|${year}|${isCommercial}`;
    let choice = choices.get(key);
    if (!choice) {
      const sold = MODELS.filter(
        (model) =>
          (makes.length === 0 || makes.includes(model.makeCode)) &&
          model.trims.some((trim) =>
            trim.variants.some(
              (variant) => isSoldIn(variant, year) && (!isCommercial || variant.isCommercial),
            ),
          ),
      );
      choice = weightedChoice(sold, (model) => model.yearlySales);
      choices.set(key, choice);
    }
    return choice;
  }

  return {
    draw(random: Random, makes: readonly string[], year: number, need: ModelNeed) {
      for (const candidate of need.needsThatYear ? [year] : [year, year - 1, year + 1, year - 2]) {
        const choice = choiceFor(makes, candidate, need.isCommercial);
        if (!choice.isEmpty) return { model: choice.draw(random), year: candidate };
      }
      return { model: choiceFor([], year, need.isCommercial).draw(random), year };
    },
  };
}

interface Build {
  readonly trim: CatalogueTrim;
  readonly variant: Variant;
}

/** Draws a trim and engine of a model as sold in a year; people buy the dear ones less. */
function createBuildChoice() {
  const choices = new Map<CatalogueModel, Map<number, WeightedChoice<Build>>>();

  function buildsOf(model: CatalogueModel, year: number): WeightedChoice<Build> {
    const builds = model.trims.flatMap((trim) =>
      trim.variants.filter((variant) => isSoldIn(variant, year)).map((variant) => ({ trim, variant })),
    );
    return weightedChoice(builds, ({ variant }) => (10_000 / variant.msrp) ** 1.4);
  }

  return {
    draw(random: Random, model: CatalogueModel, year: number): Build {
      let byYear = choices.get(model);
      if (!byYear) choices.set(model, (byYear = new Map<number, WeightedChoice<Build>>()));
      let choice = byYear.get(year);
      if (!choice) byYear.set(year, (choice = buildsOf(model, year)));
      return choice.draw(random);
    },
  };
}
