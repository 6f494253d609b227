import type { ReactNode } from 'react';
import { formatNumber } from '@forecourt/search/format';
import { LISTING_TYPE_LABELS } from '@forecourt/upstream/codes';
import type { Listing } from '@forecourt/upstream/entities';
import {
  codeInWords,
  driveText,
  economyText,
  economyUnit,
  labelOf,
  TRANSMISSION_LABELS,
  historyTexts,
  vinOf,
} from '../listing/facts.ts';
import { Panel } from './Panel.tsx';
import styles from './Facts.module.css';

/** Combined mileage, with city and highway where both are known. */
function fuelEconomy(listing: Listing): string | undefined {
  const { mpgCity, mpgHighway } = listing;
  const parts =
    mpgCity !== undefined && mpgHighway !== undefined ? `${mpgCity} city, ${mpgHighway} highway` : undefined;
  const combined = economyText(listing);
  if (combined === undefined) return parts && `${parts} ${economyUnit(listing)}`;
  return parts ? `${combined} combined (${parts})` : combined;
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
    ['Cab', listing.truckCab?.name],
    ['Bed', listing.truckBed?.name ?? codeInWords(listing.truckBedLength)],
    ['Seats', listing.seats === undefined ? undefined : String(listing.seats)],
    ['History', historyTexts(listing).join(', ')],
    ['Stock number', listing.stockNumber],
    ['VIN', vinOf(listing)],
  ];
  return rows.filter((row): row is readonly [string, string] => row[1] !== undefined && row[1] !== '');
}

export function Facts({ listing }: { listing: Listing }): ReactNode {
  return (
    <Panel headingId="facts-title" heading="Specifications">
      <dl className={styles['facts']}>
        {factSheet(listing).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
