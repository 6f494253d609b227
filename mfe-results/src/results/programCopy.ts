import { MONEY_BACK, THIRD_PARTY_WARRANTY_DAYS } from '@forecourt/shared-contracts/rules';
import { withThousands } from '@forecourt/shared-contracts/catalog';
import type { FilterValues } from '@forecourt/shared-contracts/criteria';
import type { Brand } from '@forecourt/shared-contracts/brands';

/** The one file with the words of the certified programs; its facts are constants (AMB-070). */

const NUMBER_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

const inWords = (count: number): string => NUMBER_WORDS[count] ?? String(count);

/** 'money-back guarantee of 14 days or 1,000 miles' (A9-COPY-01, B9-MISC-04). */
export const MONEY_BACK_TEXT = `money-back guarantee of ${MONEY_BACK.days} days or ${withThousands(MONEY_BACK.miles)} miles`;

/** What a certification by a third party comes with (B9-MISC-05). */
export const THIRD_PARTY_WARRANTY_TEXT = `Third-party certified vehicles come with a limited warranty of ${THIRD_PARTY_WARRANTY_DAYS.join('-')} days.`;

export interface ProgramCopy {
  readonly heading: string;
  readonly intro: string;
  readonly points: readonly string[];
}

/**
 * The manufacturer's certified program in words (A1-CERT-01, A1-CERT-02,
 * A9-COPY-01..03); undefined for a brand without one. Condition and vehicle
 * words are in lower case, as the program writes them.
 */
export function programCopyOf(brand: Brand): ProgramCopy | undefined {
  if (!brand.hasCertifiedProgram) return undefined;
  const { maxAgeYears, milesUnder, inspectionPoints } = CERTIFIED_PROGRAM;
  return {
    heading: 'About certified used vehicles',
    intro:
      'A certified used vehicle has been checked by the people who know it best, and it comes with their word in writing.',
    points: [
      `Only vehicles up to ${inWords(maxAgeYears)} years old with under ${withThousands(milesUnder)} miles are admitted.`,
      `Each one passes a ${inspectionPoints}-point inspection before it is offered.`,
      `You have a ${MONEY_BACK_TEXT}, whichever comes first.`,
    ],
  };
}

/** Words for the program's price-cap page, a highest price of $20,000 alone (A9-COPY-04, AMB-069). */
export function priceCapText(brand: Brand, filters: FilterValues): string | undefined {
  const isCapped = filters.maxPrice?.[0] === String(PRICE_CAP_PAGE) && !filters.minPrice;
  if (!brand.hasCertifiedProgram || !isCapped) return undefined;
  return `These used and certified used vehicles are all under $${withThousands(PRICE_CAP_PAGE)}.`;
}

/** What the manufacturer's certified program admits (A9-COPY-02, A9-COPY-03). */
export const CERTIFIED_PROGRAM = { maxAgeYears: 6, milesUnder: 80_000, inspectionPoints: 172 } as const;

/** USD; the manufacturer's price-cap page (A9-COPY-04, AMB-069). */
export const PRICE_CAP_PAGE = 20_000;
