import type { ReactNode } from 'react';
import { formatNumber } from '@forecourt/search/format';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { codeInWords, labelOf, sellerPlace, TRANSMISSION_LABELS, historyTexts } from '../listing/facts.ts';
import { Panel } from './Panel.tsx';

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
const DRIVE_WORDS: Readonly<Record<string, string>> = {
  AWD4WD: 'all-wheel drive',
  FWD: 'front-wheel drive',
  RWD: 'rear-wheel drive',
};

const withArticle = (words: string): string => `${/^[aeiou]/i.test(words) ? 'an' : 'a'} ${words}`;

/** The vehicle in sentences, from what is known about it. */
function aboutText(listing: Listing, owner: Owner, features: readonly string[]): string {
  const { title, mileage, specifications, listingType } = listing;
  const place = sellerPlace(owner);
  const colors = colorText(listing);
  const engine = listing.engine.name ?? specifications.engine;
  const transmission = labelOf(TRANSMISSION_LABELS, specifications.transmission)?.toLowerCase();
  const drive = labelOf(DRIVE_WORDS, listing.driveType);
  const drivetrain = [
    engine && withArticle(`${engine} engine`),
    transmission && withArticle(`${transmission} transmission`),
    drive,
  ].filter((part) => part !== undefined && part !== '') as string[];
  const sentences = [
    `This ${title} is for sale${place ? ` in ${place}` : ''} by ${owner.privateSeller ? 'its owner' : owner.ownerName}.`,
    colors && `It has ${withArticle(colors)}.`,
    mileage && listingType !== 'NEW' && `It has been driven ${formatNumber(mileage.value)} miles.`,
    drivetrain.length > 0 && `It comes with ${listFormat.format(drivetrain)}.`,
    features.length > 0 && `Equipment includes ${listFormat.format(features.slice(0, NAMED_FEATURES))}.`,
    ...historyTexts(listing).map((text) => `${text}.`),
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
    <Panel headingId="about-title" heading="About this vehicle">
      <p>{aboutText(listing, owner, features)}</p>
      {children}
    </Panel>
  );
}
