import type { CatalogMake } from '@forecourt/marketplace-api/catalog';
import type { CertifiedProgram } from '@forecourt/marketplace-api/content';
import { formatNumber } from '@forecourt/search/format';
import { MONEY_BACK, THIRD_PARTY_WARRANTY_DAYS } from '@forecourt/upstream/agreements';
import escapeHtml from 'escape-html';
import { catalog } from './catalog/catalog.ts';
import { steady, steadyPick } from './inventory/random.ts';
import { logoPath, tilePath } from './pictures/pictures.ts';

const contentOf = (heading: string, whose: string, facts: readonly string[]): string =>
  `<p>Every ${escapeHtml(heading)} vehicle is a used one that has been inspected, reconditioned and given a warranty under the ${escapeHtml(whose)} program.</p>` +
  `<ul>${facts.map((fact) => `<li>${escapeHtml(fact)}</li>`).join('')}</ul>`;

/** Ford's program as the manufacturer's pages describe it. */
const FORD_INSPECTION_POINTS = 172;

const inspectionPoints = ({ code, isLuxury }: CatalogMake): number =>
  code === 'FORD'
    ? FORD_INSPECTION_POINTS
    : 120 + Math.round(steady('inspection', code) * 60) + (isLuxury ? 20 : 0);

/** A maker's program: luxury makes inspect more and warrant longer. */
function programOf(make: CatalogMake): CertifiedProgram {
  const points = inspectionPoints(make);
  const months = make.isLuxury ? 24 : 12;
  const miles = steadyPick(make.isLuxury ? [50_000, 60_000] : [12_000, 15_000, 20_000], 'miles', make.code);
  const heading = `${make.name} Certified`;
  const tile = tilePath('certified', make.slug);
  return {
    productId: `${make.code}_CERTIFIED`,
    makeCode: make.code,
    makeLabel: make.name,
    heading,
    content: contentOf(heading, make.name, [
      `${points}-point inspection by a technician trained by ${make.name}`,
      `Limited warranty of ${months} months or ${formatNumber(miles)} miles, whichever comes first`,
      'A vehicle history report before you buy',
      'Roadside assistance for as long as the warranty runs',
    ]),
    tile,
    logo: logoPath(make.name) ?? tile,
    inspectionLink: `https://certified.example/${make.slug}/inspection`,
  };
}

const [SHORTEST, LONGEST] = THIRD_PARTY_WARRANTY_DAYS;
const THIRD_PARTY = 'Third-Party';
const THIRD_PARTY_TILE = tilePath('certified', 'third-party');
const thirdPartyProgram: CertifiedProgram = {
  productId: 'THIRD_PARTY_CERTIFIED',
  makeCode: '3P_CERT',
  makeLabel: THIRD_PARTY,
  heading: `${THIRD_PARTY} Certified`,
  content: contentOf(`${THIRD_PARTY} Certified`, 'certifier’s', [
    'Inspected and certified by an independent company, not by the maker or the dealer',
    `Limited warranty of ${SHORTEST} to ${LONGEST} days, depending on the certifier`,
    `Some sellers take the vehicle back within ${MONEY_BACK.days} days or ${formatNumber(MONEY_BACK.miles)} miles; look for the guarantee on the listing`,
  ]),
  tile: THIRD_PARTY_TILE,
  logo: logoPath(THIRD_PARTY) ?? THIRD_PARTY_TILE,
};

/** A program for every make, and one for third parties. */
export const certifiedPrograms: readonly CertifiedProgram[] = [
  ...catalog.makes.map(programOf),
  thirdPartyProgram,
];
