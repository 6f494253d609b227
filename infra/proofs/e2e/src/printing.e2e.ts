import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { describe, it } from 'mocha';
import { apiOrigin, shellOrigin } from './sharedStack.ts';
import { openResults, waitForSlots, setViewport } from './resultsPage.ts';

/** A page of 30 listings. */
const ALL_F150 = '/cars-for-sale/all/ford/f150?searchRadius=0&zip=60601';

/** cm. */
const PAPERS = { letter: [21.59, 27.94], a4: [21, 29.7] } as const;

/** Pages of the document that the browser prints. */
async function printedPages(paper: keyof typeof PAPERS): Promise<number> {
  const pdf = Buffer.from(await browser.printPage('portrait', 1, false, ...PAPERS[paper]), 'base64');
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
}
const onEachPaper = async () => [await printedPages('letter'), await printedPages('a4')];

describe('printing', () => {
  for (const width of [390, 1440]) {
    it(`puts a vehicle on one page, from a window of ${width} px`, async () => {
      const response = await fetch(
        `${apiOrigin()}/rest/lsc/listing?makeCode=FORD&modelCode=F150&numRecords=5`,
      );
      const { listings } = (await response.json()) as { listings: { id: string; title: string }[] };
      await setViewport({ width, height: 900 });
      for (const { id, title } of listings) {
        await browser.url(`${shellOrigin()}/cars-for-sale/vehicle/${id}`);
        await waitForSlots('vehicle');
        assert.deepEqual(await onEachPaper(), [1, 1], title);
      }
    });

    it(`puts results on two pages, from a window of ${width} px`, async () => {
      await openResults(ALL_F150, { width, height: 900 });
      assert.deepEqual(await onEachPaper(), [2, 2]);
    });
  }
});
