import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { StockListing } from '../../domain/stock.ts';
import { createMarket, importText, type Market } from './testing/importText.ts';
import { extensionOf, feedOf, header, RANDOM_MAPPING, row, shape } from './testing/randomFeed.ts';

/** Random feeds of each kind; 10,000 with FEED_RUNS=10000. */
const FEEDS = Number(process.env['FEED_RUNS'] ?? 300);

/** What a shopper reads of a listing. */
const shownTexts = ({ make, model, trim, stockNumber, engineName }: StockListing): string[] =>
  [make.name, model.name, trim?.name, stockNumber, engineName].filter((text) => text !== undefined);
const FORBIDDEN =
  /(?:^|\s)(?:null|n\/a|#n\/a|undefined|nan|\(null\)|none|\\n|#ref!)(?:\s|$)|\[object|\ufffd|^="|&amp;|(?![\t\n])\p{Cc}/iu;

async function importAndCheck(feed: Buffer, extension: string, market: Market): Promise<void> {
  const before = market.listings.size;
  let summary;
  try {
    ({ summary } = await importText(feed, market, { mapping: RANDOM_MAPPING, extension }));
  } catch (error) {
    expect(['BROKEN_FEED', 'NOTHING_TO_IMPORT']).toContain((error as { code?: unknown }).code);
    return;
  }
  expect(summary.read).toBe(summary.accepted + summary.rejected + summary.filtered);
  expect(summary.accepted).toBe(summary.inserted + summary.updated + summary.unchanged + summary.merged);
  expect(market.listings.size).toBe(before + summary.inserted - summary.ended);
  for (const listing of market.listings.values())
    for (const text of shownTexts(listing)) expect(text).not.toMatch(FORBIDDEN);
  for (const { name } of market.owners.values()) expect(name).not.toMatch(FORBIDDEN);
}

describe('random feeds', () => {
  it('are accounted for row by row, never crash the importer, and show no marker to a shopper', async () => {
    await fc.assert(
      fc.asyncProperty(
        header,
        fc.array(row, { maxLength: 12 }),
        fc.array(row, { maxLength: 4 }),
        shape,
        async (names, rows, more, form) => {
          const market = createMarket();
          const extension = extensionOf(form);
          await importAndCheck(feedOf(names, rows, form), extension, market);
          // The next day: some rows are the same, some new.
          await importAndCheck(feedOf(names, [...rows.slice(1), ...more], form), extension, market);
        },
      ),
      { numRuns: FEEDS },
    );
  }, 3_600_000);

  it('that are cut off or damaged end with a reason', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 6 }),
        shape,
        fc.nat(),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
        async (rows, form, cut, changes) => {
          const feed = feedOf(undefined, rows, form);
          const damaged = Buffer.from(feed.subarray(0, 1 + (cut % feed.length)));
          for (const [at, byte] of changes) damaged[at % damaged.length] = byte;
          await importAndCheck(damaged, extensionOf(form), createMarket());
        },
      ),
      { numRuns: FEEDS },
    );
  }, 3_600_000);
});
