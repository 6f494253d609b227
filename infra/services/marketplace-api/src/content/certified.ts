import escapeHtml from 'escape-html';
import type { CertifiedContent, CertifiedSponsor } from '@forecourt/shared-contracts/entities';
import { MONEY_BACK, THIRD_PARTY_WARRANTY_DAYS } from '@forecourt/shared-contracts/rules';
import { withThousands } from '@forecourt/shared-contracts/catalog';
import { MAKES } from '../catalogue/catalogue.ts';
import type { CatalogueMake } from '../catalogue/types.ts';
import { logoPath, tilePath } from '../pictures/badges.ts';
import { steady, steadyPick } from '../research/steady.ts';
import { sanitise } from './sanitise.ts';

/** The make code under which third-party certification stands. */
export const THIRD_PARTY = '3P_CERT';
/** Its product id, as listings name it. */
export const THIRD_PARTY_PRODUCT = 'THIRD_PARTY_CERTIFIED';

interface Program {
  readonly productId: string;
  readonly makeCode: string;
  readonly makeLabel: string;
  readonly heading: string;
  readonly facts: readonly string[];
  readonly tile: string;
  readonly inspectionLink?: string;
}

const list = (facts: readonly string[]) =>
  `<ul>${facts.map((fact) => `<li>${escapeHtml(fact)}</li>`).join('')}</ul>`;

/** What a maker's program promises: luxury makes inspect more and warrant longer. */
function programOf(make: CatalogueMake): Program {
  const points = 120 + Math.round(steady('inspection', make.code) * 60) + (make.isLuxury ? 20 : 0);
  const months = make.isLuxury ? 24 : 12;
  const miles = steadyPick(make.isLuxury ? [50_000, 60_000] : [12_000, 15_000, 20_000], 'miles', make.code);
  return {
    productId: `${make.code}_CERTIFIED`,
    makeCode: make.code,
    makeLabel: make.name,
    heading: `${make.name} Certified`,
    facts: [
      `${points}-point inspection by a technician trained by ${make.name}`,
      `Limited warranty of ${months} months or ${withThousands(miles)} miles, whichever comes first`,
      'A vehicle history report before you buy',
      'Roadside assistance as long as the warranty runs',
    ],
    tile: tilePath('certified', make.slug),
    inspectionLink: `https://certified.example/${make.slug}/inspection`,
  };
}

const [SHORTEST, LONGEST] = THIRD_PARTY_WARRANTY_DAYS;
const thirdParty: Program = {
  productId: THIRD_PARTY_PRODUCT,
  makeCode: THIRD_PARTY,
  makeLabel: 'Third-Party',
  heading: 'Third-Party Certified',
  facts: [
    'Inspected and certified by a company that is neither the maker nor the dealer',
    `Limited warranty of ${SHORTEST} to ${LONGEST} days, depending on the certifier`,
    `Some sellers take it back within ${MONEY_BACK.days} days or ${withThousands(MONEY_BACK.miles)} miles; look for the guarantee on the listing`,
  ],
  tile: tilePath('certified', 'third-party'),
};

const PROGRAMS: readonly Program[] = [...MAKES.map(programOf), thirdParty];

const contentOf = ({ makeLabel, heading, facts }: Program) =>
  sanitise(
    `<p>A ${escapeHtml(heading)} vehicle is a used one that was inspected, put in order and warranted under the ${escapeHtml(makeLabel.toLowerCase() === 'third-party' ? 'certifier’s' : `${makeLabel}`)} program.</p>${list(facts)}`,
  );

/** Every certified program (B3-CERT-01, AMB-154). */
export const certifiedContents = (): CertifiedContent[] =>
  PROGRAMS.map((program) => ({
    makeCode: program.makeCode,
    productId: program.productId,
    linkText: `About ${program.heading}`,
    cpoTile: program.tile,
    makeLabel: program.makeLabel,
    heading: program.heading,
    content: contentOf(program),
  }));

/** A program's sponsor (AMB-187), with the link that the page takes off. */
export function certifiedSponsor(
  productId: string,
): (CertifiedSponsor & { inspectionLink?: string }) | undefined {
  const program = PROGRAMS.find((candidate) => candidate.productId === productId);
  if (!program) return undefined;
  return {
    productId,
    heading: program.heading,
    content: contentOf(program),
    logo: logoPath(program.makeLabel) ?? program.tile,
    inspectionLink: program.inspectionLink,
  };
}
