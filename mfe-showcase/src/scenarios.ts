import type { RootState } from '@forecourt/search/state';
import { buildChip, buildListing, buildOwner, buildState } from '@forecourt/search/testing';
import { defineScenarios } from '@forecourt/slots/testing';
import showcase from './slots/showcase.tsx';

const STYLES = ['sedan', 'suvcross', 'trucks', 'coupe', 'hatch', 'vanmv'];
const PAINTS = ['blue', 'red', 'white', 'black', 'silver', 'green'];

/** `count` different vehicles of the sponsor. */
const vehicles = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    buildListing({
      id: String(2000 + at),
      title: `${2018 + (at % 8)} Ford ${['F-150 XLT', 'Escape SE', 'Explorer Limited'][at % 3] ?? ''}`,
      mileage: { value: 8_000 + at * 7_130 },
      pricingDetail: { salePrice: 21_500 + at * 1_990, derivedPrice: 21_500 + at * 1_990 },
      images: {
        primary: 0,
        sources: [
          {
            src: `/pictures/${STYLES[at % STYLES.length]}/${PAINTS[at % PAINTS.length]}/front.svg`,
            alt: '',
          },
        ],
      },
    }),
  );

function stateOf(
  listings: ReturnType<typeof vehicles>,
  { isAlpha = false, ...search }: Partial<RootState['search']> & { isAlpha?: boolean } = {},
  ownerBean = buildOwner(),
): RootState {
  return buildState({ alpha: { alphaShowcase: { isAlpha, listings }, ownerBean }, ...search });
}

const longOwner = buildOwner({
  name: 'The Original Lakeside Chrysler Dodge Jeep Ram & Commercial Truck Center of Greater Chicago',
});
const withLongTitles = (listings: ReturnType<typeof vehicles>) =>
  listings.map((listing) => ({
    ...listing,
    title: '2023 Mercedes-Benz Sprinter 3500 XD Crew 170" Wheelbase Extended High Roof Cargo Van',
  }));

/** All visually distinct states of the showcase. */
export default defineScenarios([
  { name: 'inventory', module: showcase, state: stateOf(vehicles(8)) },
  { name: 'inventory-of-one', module: showcase, state: stateOf(vehicles(1)) },
  { name: 'inventory-of-twenty', module: showcase, state: stateOf(vehicles(20)) },
  { name: 'owner', module: showcase, state: stateOf(vehicles(2), { isAlpha: true }) },
  { name: 'owner-with-one-vehicle', module: showcase, state: stateOf(vehicles(1), { isAlpha: true }) },
  {
    name: 'missing-criteria',
    module: showcase,
    state: stateOf(vehicles(8), {
      chips: [buildChip('makeCode', 'TOYOTA', 'Toyota'), buildChip('extColorSimple', 'RED', 'Red')],
    }),
  },
  { name: 'loading', module: showcase, state: stateOf(vehicles(8), { status: 'loading' }) },
  {
    name: 'loading-owner',
    module: showcase,
    state: stateOf(vehicles(2), { isAlpha: true, status: 'loading' }),
  },
  {
    name: 'long-text',
    module: showcase,
    state: stateOf(withLongTitles(vehicles(8)), {}, longOwner),
  },
  {
    name: 'long-text-owner',
    module: showcase,
    state: stateOf(withLongTitles(vehicles(2)), { isAlpha: true }, longOwner),
  },
  {
    name: 'without-pictures-and-prices',
    module: showcase,
    state: stateOf(
      vehicles(4).map((listing) => ({
        ...listing,
        images: { primary: 0, sources: [] },
        pricingDetail: {},
        mileage: undefined,
      })),
    ),
  },
  { name: 'no-showcase', module: showcase, state: buildState({ alpha: null }) },
]);
