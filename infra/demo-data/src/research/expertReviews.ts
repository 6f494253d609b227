import { formatNumber } from '@forecourt/search/format';
import { BODY_STYLES, FUEL_GROUPS } from '@forecourt/upstream/codes';
import { catalog } from '../catalog/catalog.ts';
import { msrpIn, nameKey, slugFromName } from '@forecourt/marketplace-api/catalog';
import { ANY_TRIM, type Article, type ArticleSubject } from '@forecourt/marketplace-api/research';
import { shapeOf } from '../pictures/modelShapes.ts';
import { picturePath } from '../pictures/picturePath.ts';
import { vehiclesOf, type ReferenceVehicle } from './vehicles.ts';

/** Written from the catalog's facts, not by a person. */
const AUTHOR = 'Forecourt guide';

const dollars = (amount: number) => `$${formatNumber(amount)}`;
const listed = (words: readonly string[]) =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
/** 'a truck', 'an SUV'; abbreviations stay in upper case. */
const withArticle = (style: string) => {
  const word = /^[A-Z]{2}/.test(style) ? style : style.toLowerCase();
  return `${/^(SUV|[aeio])/.test(word) ? 'an' : 'a'} ${word}`;
};
const unique = <Value>(values: readonly Value[]) => [...new Set(values)];

function economyOf(vehicles: readonly ReferenceVehicle[]): string | undefined {
  const rated = vehicles.filter(({ variant }) => variant.mpgCity && variant.mpgHighway);
  const best = rated.sort((a, b) => b.variant.mpgHighway! - a.variant.mpgHighway!)[0];
  if (!best) return undefined;
  const { fuel, mpgCity, mpgHighway, electricRange, engineName } = best.variant;
  const unit = fuel === 'ELE' ? 'MPGe' : 'mpg';
  const range = electricRange ? ` and ${electricRange} miles of electric range` : '';
  return `The most economical version, with the ${engineName}, is rated at ${mpgCity} ${unit} in the city and ${mpgHighway} on the highway${range}.`;
}

function overview(name: string, vehicles: readonly ReferenceVehicle[]): readonly [string, string[]] {
  const [first] = vehicles;
  const { year, model, variant } = first!;
  const styles = unique(vehicles.map((one) => withArticle(BODY_STYLES[one.variant.bodyStyle].label)));
  const fuels = unique(vehicles.map((one) => FUEL_GROUPS[one.variant.fuel].toLowerCase()));
  const cheapest = msrpIn(variant, year);
  const dearest = msrpIn(vehicles.at(-1)!.variant, year);
  const seats = Math.max(...vehicles.map((one) => one.variant.seats));
  return [
    `The ${name} comes as ${listed(styles)} from ${dollars(cheapest)}: what it offers and what to look out for.`,
    [
      `The ${year} ${model.name} is ${listed(styles)} with ${listed(fuels)} power and up to ${seats} seats.`,
      `List prices run from ${dollars(cheapest)} to ${dollars(dearest)} before options.`,
      ...[economyOf([...vehicles])].flatMap((sentence) => sentence ?? []),
      `When you shop for a used one, compare its mileage with its age, and its price with others of the same trim.`,
    ],
  ];
}

function trimGuide(name: string, vehicles: readonly ReferenceVehicle[]): readonly [string, string[]] {
  const { year } = vehicles[0]!;
  const prices = new Map<string, number>();
  for (const { trim, variant } of vehicles)
    prices.set(trim.name, Math.min(prices.get(trim.name) ?? Infinity, msrpIn(variant, year)));
  const names = [...prices.keys()];
  return [
    `${names.length === 1 ? 'One trim' : `${names.length} trims`} and what each costs.`,
    [
      `There ${names.length === 1 ? 'is one trim' : `are ${names.length} trims`}: ${listed(names)}.`,
      ...[...prices].map(([trim, price]) => `${trim}: from ${dollars(price)}.`),
    ],
  ];
}

function rivals(
  name: string,
  vehicles: readonly ReferenceVehicle[],
): readonly [string, string[]] | undefined {
  const { year, model, make } = vehicles[0]!;
  const others = catalog.models
    .filter(
      (other) =>
        other.bodyStyle === model.bodyStyle &&
        other.makeCode !== make.code &&
        other.firstYear <= year &&
        year <= other.lastYear,
    )
    .map((other) => ({ other, cheapest: vehiclesOf(year, other.makeCode, other.code)[0] }))
    .flatMap(({ other, cheapest }) => (cheapest ? [{ other, price: msrpIn(cheapest.variant, year) }] : []));
  const own = msrpIn(vehicles[0]!.variant, year);
  const near = others
    .sort((a, b) => Math.abs(a.price - own) - Math.abs(b.price - own))
    .slice(0, 3)
    .map(
      ({ other, price }) =>
        `the ${catalog.findMake(other.makeCode)!.name} ${other.name} (from ${dollars(price)})`,
    );
  if (near.length === 0) return undefined;
  return [
    `Shoppers who look at the ${name} also look at ${listed(near)}.`,
    [
      `At ${dollars(own)}, the ${name} competes with ${listed(near)}.`,
      `Drive at least two of them on the same day and over the same road; differences in seats, noise and visibility show right away.`,
      `Then compare what is for sale near you: with used vehicles, condition and history matter more than the badge.`,
    ],
  ];
}

/** Resolves slugs or codes. */
function resolve(make: string, model: string) {
  const foundMake = catalog.findMakeBySlug(make) ?? catalog.findMake(make);
  const foundModel =
    foundMake && (catalog.findModelBySlug(foundMake.code, model) ?? catalog.findModel(foundMake.code, model));
  return foundModel && { make: foundMake, model: foundModel };
}

/** Articles about a model year, or about one trim of it; empty if it was not built. */
export function articlesAbout(path: ArticleSubject): Article[] {
  const found = resolve(path.make, path.model);
  if (!found || !/^\d{4}$/.test(path.year)) return [];
  const { make, model } = found;
  const all = vehiclesOf(Number(path.year), make.code, model.code);
  const trim = nameKey(path.trim.split('|').at(-1) ?? '');
  const vehicles =
    path.trim === ANY_TRIM || trim === '' ? all : all.filter((one) => nameKey(one.trim.name) === trim);
  if (vehicles.length === 0) return [];
  const trimName = vehicles.length < all.length ? ` ${vehicles[0]!.trim.name}` : '';
  const name = `${path.year} ${make.name} ${model.name}${trimName}`;
  const { bodyStyle } = vehicles[0]!.variant;
  const drafts: (readonly [title: string, kind: string, draft: readonly [string, string[]] | undefined])[] = [
    [`${name}: what to know before you buy`, 'overview', overview(name, vehicles)],
    [`Which ${path.year} ${model.name} to choose`, 'trims', trimGuide(name, all)],
    [`${name} and its rivals`, 'rivals', rivals(name, vehicles)],
  ];
  return drafts.flatMap(([title, kind, draft]) =>
    draft
      ? [
          {
            slug: `${slugFromName(name)}-${kind}`,
            title,
            excerpt: draft[0],
            paragraphs: draft[1],
            author: AUTHOR,
            picture: {
              src: picturePath({
                bodyStyle,
                shape: shapeOf(make.code, model.code, bodyStyle),
                paint: 'BLUE',
                angle: kind === 'trims' ? 'side' : 'front',
              }),
              alt: name,
            },
          },
        ]
      : [],
  );
}
