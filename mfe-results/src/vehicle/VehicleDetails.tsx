import type { ReactNode } from 'react';
import type { Filter, Listing, Owner } from '@forecourt/shared-contracts/entities';
import { formatNumber } from '@forecourt/shared-contracts/rules';
import { LISTING_TYPE_LABELS } from '@forecourt/shared-contracts/entities/codes';
import {
  codeInWords,
  driveText,
  labelOf,
  placeText,
  TRANSMISSION_LABELS,
  historyTexts,
  vinOf,
} from '../listing/facts.ts';
import styles from './Vehicle.module.css';

/** Combined mileage, with city and highway where both are known. */
function fuelEconomy({ specifications, mpgCity, mpgHighway }: Listing): string | undefined {
  const { mpg } = specifications;
  const parts =
    mpgCity !== undefined && mpgHighway !== undefined ? `${mpgCity} city, ${mpgHighway} highway` : undefined;
  if (mpg === undefined) return parts && `${parts} mpg`;
  return parts ? `${formatNumber(mpg)} mpg combined (${parts})` : `${formatNumber(mpg)} mpg`;
}

/** The known facts of a vehicle, in display order. */
function factSheet(listing: Listing): readonly (readonly [name: string, value: string])[] {
  const { specifications, mileage, color, fuelType, listingType } = listing;
  const rows: (readonly [string, string | undefined])[] = [
    ['Condition', LISTING_TYPE_LABELS[listingType]],
    ['Mileage', mileage && `${formatNumber(mileage.value)} miles`],
    ['Body style', listing.bodyStyles.map(({ name }) => name).join(', ')],
    ['Engine', listing.engine.name ?? specifications.engine],
    ['Drive', driveText(listing)],
    ['Transmission', labelOf(TRANSMISSION_LABELS, specifications.transmission)],
    ['Fuel', fuelType.name],
    ['Fuel economy', fuelEconomy(listing)],
    [
      'Electric range',
      specifications.mileRange === undefined ? undefined : `${formatNumber(specifications.mileRange)} miles`,
    ],
    ['Exterior', codeInWords(color.exteriorColorSimple)],
    ['Interior', codeInWords(color.interiorColorSimple)],
    ['Doors', listing.doors === undefined ? undefined : String(listing.doors)],
    ['Bed', codeInWords(listing.truckBedLength)],
    ['History', historyTexts(listing).join(', ')],
    ['Stock number', listing.stockNumber],
    ['VIN', vinOf(listing)],
  ];
  return rows.filter((row): row is readonly [string, string] => row[1] !== undefined && row[1] !== '');
}

const ACRONYM = /^(abs|aeb|awd|led|usb|gps)$/i;

/** 'HEATED_SEATS' → 'Heated seats'. */
function featureInWords(code: string): string {
  const text = code.replaceAll(/[_-]+/g, ' ').toLowerCase();
  return ACRONYM.test(text) ? text.toUpperCase() : text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Names features by the labels of the search's filters; a feature without a filter gets its code in words.
 */
export function featureNames(codes: readonly string[], filters: readonly Filter[] | undefined): string[] {
  const labels = new Map(
    (filters ?? [])
      .filter(({ name }) => name === 'featureCode')
      .flatMap(({ options }) => options.map(({ value, label }) => [value, label] as const)),
  );
  return codes.map((code) => labels.get(code) ?? featureInWords(code));
}

/** Features that the summary names. */
const NAMED_FEATURES = 4;

const listFormat = new Intl.ListFormat('en-US');

/** 'white exterior and black interior'; undefined when neither color is known. */
function colorText({ color }: Listing): string | undefined {
  const [exterior, interior] = [color.exteriorColorSimple, color.interiorColorSimple].map(codeInWords);
  const parts = [
    exterior && `${exterior.toLowerCase()} exterior`,
    interior && `${interior.toLowerCase()} interior`,
  ].filter((part) => part !== undefined && part !== '');
  return parts.length > 0 ? listFormat.format(parts as string[]) : undefined;
}

/** 'an automatic transmission': the article follows the sound of these labels. */
const withArticle = (words: string): string => `${/^[aeiou]/i.test(words) ? 'an' : 'a'} ${words}`;

/** The vehicle in sentences, from what is known about it. */
function aboutText(listing: Listing, owner: Owner, features: readonly string[]): string {
  const { title, mileage, specifications, listingType } = listing;
  const place = placeText(owner);
  const colors = colorText(listing);
  const engine = listing.engine.name ?? specifications.engine;
  const transmission = labelOf(TRANSMISSION_LABELS, specifications.transmission)?.toLowerCase();
  const drive = driveText(listing);
  const drivetrain = [
    engine && withArticle(`${engine} engine`),
    transmission && withArticle(`${transmission} transmission`),
    drive,
  ].filter((part) => part !== undefined && part !== '') as string[];
  const history = historyTexts(listing).map((text) => text.toLowerCase());
  const sentences = [
    `This ${title} is for sale${place ? ` in ${place}` : ''} by ${owner.privateSeller ? 'its owner' : owner.ownerName}.`,
    colors && `It has ${withArticle(colors)}.`,
    mileage && listingType !== 'NEW' && `It has been driven ${formatNumber(mileage.value)} miles.`,
    drivetrain.length > 0 && `It comes with ${listFormat.format(drivetrain)}.`,
    features.length > 0 && `Equipment includes ${listFormat.format(features.slice(0, NAMED_FEATURES))}.`,
    history.length > 0 && `The history report says: ${history.join(', ')}.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

export function About(props: {
  listing: Listing;
  owner: Owner;
  features: readonly string[];
  children: ReactNode;
}): ReactNode {
  const { listing, owner, features, children } = props;
  return (
    <section className={styles['panel']} aria-labelledby="about-title">
      <h2 id="about-title">About this vehicle</h2>
      <p>{aboutText(listing, owner, features)}</p>
      {children}
    </section>
  );
}

export function Facts({ listing }: { listing: Listing }): ReactNode {
  return (
    <section className={styles['panel']} aria-labelledby="facts-title">
      <h2 id="facts-title">Specifications</h2>
      <dl className={styles['facts']}>
        {factSheet(listing).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function Features({ features }: { features: readonly string[] }): ReactNode {
  if (features.length === 0) return null;
  return (
    <section className={styles['panel']} aria-labelledby="features-title">
      <h2 id="features-title">Features</h2>
      <ul className={styles['features']}>
        {features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
    </section>
  );
}
