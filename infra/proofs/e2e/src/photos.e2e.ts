// not in the cluster: starts its own services, with an image server; the proof `cluster` has photos in its bucket
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { $, browser } from '@wdio/globals';
import { after, before, describe, it } from 'mocha';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { importPhotoFeed } from '@forecourt/harness/photoFeed';
import { openResults } from './resultsPage.ts';
import { getPage, listingIds } from '@forecourt/harness/serverHtml';

const PHOTOS = 4;
/** Sum of layout shifts; Google calls 0.1 good. Photos have reserved sizes. */
const MAX_SHIFT = 0.01;
const VIN = '1HGCM82633A004352';
/** Vehicles whose share pictures are the dealer's photos. */
const FORDS = '/cars-for-sale/all/ford?searchRadius=0&zip=60601';
const PHONE = { width: 390, height: 844 };

/** The share picture of a vehicle, which the marketplace paints in a process of its own and gives up on a busy machine. */
async function sharePicture(api: string, id: string): Promise<Uint8Array> {
  let picture: Uint8Array | undefined;
  await browser.waitUntil(
    async () => {
      const response = await fetch(`${api}/pictures/share/vehicles/${id}.jpg`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (response.status === 200) picture = bytes;
      return picture !== undefined;
    },
    { timeout: 60_000, interval: 1_000, timeoutMsg: `no share picture of ${id}` },
  );
  return picture!;
}

/** A dealer's host of photos: the address `/<at>.jpg` is the picture at that place. */
async function startDealerHost(pictures: readonly Uint8Array[]): Promise<Server> {
  const host = createServer((request, response) => {
    const picture = pictures[Number(/^\/(\d+)\.jpg$/.exec(request.url ?? '')?.[1])];
    if (!picture) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  return host;
}

/** Imports one vehicle with these photos. */
const importVehicle = (folder: string, photos: readonly string[]): Promise<void> =>
  importPhotoFeed(folder, {}, 'photos', [
    {
      vin: VIN,
      year: 2003,
      make: 'Honda',
      model: 'Accord',
      price: 7995,
      mileage: 98_000,
      sellerName: 'Lakeside Honda',
      zip: '60601',
      photoUrls: photos.join('|'),
    },
  ]);

/** Layout shifts of the page so far, without those that follow an input. */
const layoutShift = (): Promise<number> =>
  browser.executeAsync((done: (sum: number) => void) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
        };
        if (!hadRecentInput) sum += value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => done(sum), 300);
  });

/** The photo that the card shows, from 0 as its dots say, and whether its file is loaded. */
const cardState = () =>
  browser.execute(() => {
    const card = document.querySelector('[data-tile="listing"] article');
    const dots = card?.querySelector<HTMLElement>('[style*="--count"]');
    const images = [...(card?.querySelectorAll('img') ?? [])].filter(({ src }) => src.includes('/photos/'));
    const shown = images.find((image) => getComputedStyle(image).visibility === 'visible');
    return {
      at: Number(dots?.style.getPropertyValue('--at')),
      count: Number(dots?.style.getPropertyValue('--count')),
      shown: shown ? images.indexOf(shown) : -1,
      isLoaded: (shown?.naturalWidth ?? 0) > 0,
    };
  });

const waitForCard = (at: number) =>
  browser.waitUntil(
    async () => {
      const state = await cardState();
      return state.at === at && state.shown === at && state.isLoaded;
    },
    { timeoutMsg: `the card doesn't show photo ${at}` },
  );

describe('photos of a feed', () => {
  let stack: Awaited<ReturnType<typeof startOwnStack>> | undefined;
  let shell: string;
  let dealer: Server | undefined;
  let page: string;
  let id: string;

  before(async () => {
    const pictures: Uint8Array[] = [];
    dealer = await startDealerHost(pictures);
    const origin = `http://127.0.0.1:${(dealer.address() as AddressInfo).port}`;
    stack = await startOwnStack({ environment: { INTERNAL_PHOTO_ORIGINS: origin } });
    shell = stack.urls.shell;
    const others = listingIds((await getPage(shell + FORDS)).html).slice(0, PHOTOS);
    assert.equal(others.length, PHOTOS);
    for (const other of others) pictures.push(await sharePicture(stack.urls['marketplace-api'], other));
    await importVehicle(
      stack.dataDir,
      pictures.map((_, at) => `${origin}/${at}.jpg`),
    );
    // A bare VIN would open the vehicle.
    page = `/cars-for-sale/all-cars?keyword=%22${VIN.toLowerCase()}%22`;
    await browser.waitUntil(
      async () => {
        const { html } = await getPage(shell + page);
        id = listingIds(html)[0] ?? '';
        return html.includes('/pictures/photos/');
      },
      { timeout: 60_000, interval: 1_000, timeoutMsg: 'the photos are not stored' },
    );
  });
  after(async () => {
    await stack?.remove();
    dealer?.close();
  });

  it('turn in a card by swipe, buttons and arrow keys, and the dots follow', async () => {
    await openResults(page, { origin: shell, ...PHONE });
    await waitForCard(0);
    assert.equal((await cardState()).count, PHOTOS);
    const picture = await $('[data-tile="listing"] article img[src*="/photos/"]').getElement();
    const swipe = (from: number, to: number) =>
      browser
        .action('pointer', { parameters: { pointerType: 'touch' } })
        .move({ origin: picture, x: from, y: 0 })
        .down()
        .move({ origin: picture, x: to, y: 0, duration: 150 })
        .up()
        .perform();
    await swipe(100, -100);
    await waitForCard(1);
    await swipe(-100, 100);
    await waitForCard(0);
    await $('[data-tile="listing"] article button[aria-label="Next picture"]').click();
    await waitForCard(1);
    await browser.execute(() => document.querySelector<HTMLElement>('[data-tile="listing"] h3 a')?.focus());
    await browser.keys('ArrowRight');
    await waitForCard(2);
    await browser.keys('ArrowRight');
    await browser.keys('ArrowRight');
    await waitForCard(PHOTOS - 1);
    await browser.keys('ArrowLeft');
    await waitForCard(PHOTOS - 2);
    assert.ok((await layoutShift()) <= MAX_SHIFT, `layout shift ${await layoutShift()}`);
  });

  it('turn on the vehicle page by keys and thumbnails, without a layout shift', async () => {
    await openResults(`/cars-for-sale/vehicle/${id}`, { origin: shell, slots: ['vehicle'] });
    const shown = () =>
      browser.execute(() => ({
        picture: Number(document.querySelector('[data-picture]')?.textContent),
        thumbnail: document.querySelector('ol [aria-current="true"]')?.getAttribute('aria-label'),
      }));
    const waitForPicture = (picture: number) =>
      browser.waitUntil(
        async () => {
          const { picture: now, thumbnail } = await shown();
          return now === picture && thumbnail === `Picture ${picture} of ${PHOTOS}`;
        },
        { timeoutMsg: `picture ${picture} is not shown` },
      );
    await waitForPicture(1);
    await browser.execute(() =>
      document.querySelector<HTMLElement>('ul[aria-label="Pictures, scroll sideways"]')?.focus(),
    );
    await browser.keys('ArrowRight');
    await waitForPicture(2);
    await browser.keys('End');
    await waitForPicture(PHOTOS);
    await $('a[aria-label="Picture 1 of 4"]').click();
    await waitForPicture(1);
    const loaded = await browser.execute(
      () => document.querySelector<HTMLImageElement>('#picture-1 img')?.currentSrc ?? '',
    );
    assert.match(loaded, /\/pictures\/photos\/[0-9a-f]{32}-\d+$/);
    assert.ok((await layoutShift()) <= MAX_SHIFT, `layout shift ${await layoutShift()}`);
  });
});
