import {
  isSoldIn,
  type CatalogModel,
  type CatalogTrim,
  type Variant,
} from '@forecourt/marketplace-api/catalog';
import type { ListingType } from '@forecourt/marketplace-api/stock';
import { catalog } from '../catalog/catalog.ts';
import type { Dealer } from './dealers.ts';
import { MILES_PER_YEAR } from './pricing.ts';
import { choiceOf, weightedChoice, type Random, type WeightedChoice } from './random.ts';

/** Makers certify no older cars and none with more miles. */
const CERTIFIED_MAX_AGE = 6;
const CERTIFIED_MAX_MILEAGE = 80_000;
const THIRD_PARTY_MAX_AGE = 10;
const OLDEST_AGE = 15;

const AT_FRANCHISE = choiceOf<ListingType>({ NEW: 44, CERTIFIED: 22, '3P_CERT': 3.5, USED: 30.5 });
const AT_INDEPENDENT = choiceOf<ListingType>({ NEW: 0, CERTIFIED: 0, '3P_CERT': 12, USED: 88 });
const AT_COMMERCIAL = choiceOf<ListingType>({ NEW: 55, CERTIFIED: 0, '3P_CERT': 5, USED: 40 });

/** Weight of each age in model years among used cars for sale. */
const BY_AGE = [3, 9, 13, 15, 13, 10, 8, 7, 6, 5, 4, 3, 2.2, 1.6, 1.1, 0.8];
const ALL_AGES = BY_AGE.map((_, age) => age);
const AGES = {
  all: weightedChoice(ALL_AGES, (age) => BY_AGE[age] ?? 0),
  certified: weightedChoice(ALL_AGES.slice(0, CERTIFIED_MAX_AGE + 1), (age) => BY_AGE[age] ?? 0),
};

export interface ChosenVehicle {
  readonly model: CatalogModel;
  readonly trim: CatalogTrim;
  readonly variant: Variant;
  readonly year: number;
}

/** Condition of a vehicle at a dealer; private sellers sell used ones only. */
export function chooseCondition(dealer: Dealer | undefined, random: Random): ListingType {
  if (!dealer) return 'USED';
  if (dealer.isCommercial) return AT_COMMERCIAL.draw(random);
  return (dealer.franchises.length > 0 ? AT_FRANCHISE : AT_INDEPENDENT).draw(random);
}

export function chooseMileage(random: Random, listingType: ListingType, age: number): number {
  if (listingType === 'NEW') return random.chance(0.96) ? random.int(2, 60) : random.int(500, 4_000);
  const perYear = MILES_PER_YEAR * Math.exp(random.normal() * 0.38 - 0.07);
  const miles = Math.round(Math.min(260_000, perYear * age) + random.int(50, 900));
  return listingType === 'CERTIFIED' && miles >= CERTIFIED_MAX_MILEAGE
    ? random.int(40_000, CERTIFIED_MAX_MILEAGE - 1)
    : miles;
}

export function chooseTransmission(random: Random, variant: Variant): string {
  const [first = 'AUT', second] = variant.transmissions;
  if (!second) return first;
  return random.chance(first === 'MAN' ? 0.6 : 0.88) ? first : second;
}

/** Draws models, trims and years in proportion to sales. */
export function createVehicleChoice(currentYear: number) {
  const models = createModelChoice();
  const builds = createBuildChoice();
  return (random: Random, dealer: Dealer | undefined, listingType: ListingType): ChosenVehicle => {
    const requestedYear = chooseYear(random, listingType, currentYear, !dealer);
    const makes = chooseMakes(random, dealer, listingType);
    const { model, year } = models.draw(random, makes, requestedYear, {
      isCommercial: dealer?.isCommercial ?? false,
      needsThatYear: listingType !== 'NEW',
    });
    return { model, ...builds.draw(random, model, year), year };
  };
}

function chooseYear(
  random: Random,
  listingType: ListingType,
  currentYear: number,
  isPrivateSale: boolean,
): number {
  if (listingType === 'NEW') {
    const draw = random.next();
    return draw < 0.6 ? currentYear : draw < 0.82 ? currentYear + 1 : currentYear - 1;
  }
  const isCertified = listingType === 'CERTIFIED';
  const oldest = isCertified
    ? CERTIFIED_MAX_AGE
    : listingType === '3P_CERT'
      ? THIRD_PARTY_MAX_AGE
      : OLDEST_AGE;
  const shift = isPrivateSale ? random.int(0, 5) : 0;
  return currentYear - Math.min(oldest, AGES[isCertified ? 'certified' : 'all'].draw(random) + shift);
}

/** New and certified cars are of the dealer's makes, and so are half of its trade-ins. Empty stands for any make. */
function chooseMakes(
  random: Random,
  dealer: Dealer | undefined,
  listingType: ListingType,
): readonly string[] {
  if (!dealer || dealer.franchises.length === 0) return [];
  const isOwnMake = listingType === 'NEW' || listingType === 'CERTIFIED' || random.chance(0.5);
  return isOwnMake ? dealer.franchises : [];
}

interface ModelNeed {
  readonly isCommercial: boolean;
  /** Otherwise the nearest year on sale will do. */
  readonly needsThatYear: boolean;
}

/** Draws a model sold in a year, in proportion to its sales, of the given makes or of any. */
function createModelChoice() {
  const choices = new Map<string, WeightedChoice<CatalogModel>>();

  function choiceFor(makes: readonly string[], year: number, isCommercial: boolean) {
    const key = `${makes.join()}|${year}|${isCommercial}`;
    let choice = choices.get(key);
    if (!choice) {
      const isSold = (variant: Variant) => isSoldIn(variant, year) && (!isCommercial || variant.isCommercial);
      const sold = catalog.models.filter(
        (model) =>
          (makes.length === 0 || makes.includes(model.makeCode)) &&
          model.trims.some((trim) => trim.variants.some(isSold)),
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
  readonly trim: CatalogTrim;
  readonly variant: Variant;
}

/** Draws a trim and engine of a model as sold in a year; expensive ones less often. */
function createBuildChoice() {
  const choices = new Map<CatalogModel, Map<number, WeightedChoice<Build>>>();

  function buildsOf(model: CatalogModel, year: number): WeightedChoice<Build> {
    const builds = model.trims.flatMap((trim) =>
      trim.variants.filter((variant) => isSoldIn(variant, year)).map((variant) => ({ trim, variant })),
    );
    return weightedChoice(builds, ({ variant }) => (10_000 / variant.msrp) ** 1.4);
  }

  return {
    draw(random: Random, model: CatalogModel, year: number): Build {
      let byYear = choices.get(model);
      if (!byYear) choices.set(model, (byYear = new Map<number, WeightedChoice<Build>>()));
      let choice = byYear.get(year);
      if (!choice) byYear.set(year, (choice = buildsOf(model, year)));
      return choice.draw(random);
    },
  };
}
