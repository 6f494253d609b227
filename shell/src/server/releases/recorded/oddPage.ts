import { listingSchema, ownerSchema, type Listing, type Owner } from '@forecourt/shared-contracts/entities';
import type { RootState } from '@forecourt/shared-contracts/store';
import type { z } from 'zod';

const LONG = 'Donaudampfschifffahrtsgesellschaft'.repeat(12);
const HOSTILE =
  '</script><img src=x onerror=alert(1)> "quotes" & \'apostrophes\' \u05e9\u05dc\u05d5\u05dd \ud83d\ude97 \u202e';

/** The entity with only the fields that its schema requires. */
function bare<T extends object>(entity: T, schema: z.ZodType<T>): T {
  const left = new Map(Object.entries(entity));
  for (const [key, value] of Object.entries(entity)) {
    left.delete(key);
    if (!schema.safeParse(Object.fromEntries(left)).success) left.set(key, value);
  }
  return schema.parse(Object.fromEntries(left));
}

/** Each sets one aspect to an extreme value that the schemas allow. */
const ODD_LISTINGS: readonly ((listing: Listing) => Listing)[] = [
  (listing) => bare(listing, listingSchema),
  (listing) => ({ ...listing, title: LONG, ownerName: LONG, features: Array<string>(60).fill(LONG) }),
  (listing) => ({
    ...listing,
    title: HOSTILE,
    make: { code: HOSTILE, name: HOSTILE },
    trim: { code: '', name: '' },
  }),
  (listing) => ({ ...listing, pricingDetail: {}, specifications: {}, color: {}, engine: {} }),
  (listing) => ({ ...listing, images: { primary: 7, sources: [] }, phone: '', year: 1900 }),
  (listing) => ({
    ...listing,
    pricingDetail: { salePrice: 0, msrp: 999_999_999, derivedPrice: 0, previousPrice: -1 },
    mileage: { value: 9_999_999 },
    viewCount: 1_000_000,
  }),
  // The seller is missing from the owners.
  (listing) => ({ ...listing, ownerId: 'nobody' }),
];

const ODD_OWNERS: readonly ((owner: Owner) => Owner)[] = [
  (owner) => bare(owner, ownerSchema),
  (owner) => ({ ...owner, name: LONG, ownerName: LONG }),
  (owner) => ({ ...owner, name: HOSTILE, privateSeller: true, website: { href: 'javascript:alert(1)' } }),
];

const pick = <T>(list: readonly ((value: T) => T)[], value: T, at: number): T =>
  list[at % list.length]?.(value) ?? value;

/** The same page with extreme values that the schemas allow, for a signed-in visitor of another brand. */
export function oddPage({ page, search, session }: RootState): RootState {
  const odd = (listings: readonly Listing[]) =>
    listings.map((listing, at) => pick(ODD_LISTINGS, listing, at));
  return {
    page,
    search: {
      ...search,
      listings: odd(search.listings),
      spotlights: search.spotlights.map((tiers) => ({ ...tiers, premium: odd(tiers.premium) })),
      boost: odd(search.boost),
      owners: Object.fromEntries(
        Object.entries(search.owners).map(([id, owner], at) => [id, pick(ODD_OWNERS, owner, at)]),
      ),
      totalResultCount: 1_234_567,
      chips: search.chips.map((chip) => ({ ...chip, label: LONG })),
      texts: { ...search.texts, heading: `${LONG} ${HOSTILE}` },
      filters: search.filters.map((filter, at) =>
        at % 2 === 0
          ? { ...filter, options: [] }
          : {
              ...filter,
              label: HOSTILE,
              options: filter.options.map((option) => ({ ...option, label: LONG })),
            },
      ),
      pageData: { suggestedModels: [] },
      editorial: null,
      stats: {},
      notice: LONG,
    },
    session: {
      ...session,
      brand: 'kbb',
      signedIn: true,
      account: { firstName: HOSTILE, email: 'ada@example.com' },
      savedListingIds: search.listings.map(({ id }) => id),
      showsPayments: true,
      wallet: { monthlyBudget: 600, downPayment: 0, termMonths: 72, aprPercent: 0, tradeInValue: 0 },
    },
  };
}
