import { HEADERS } from '@forecourt/harness/photoFeed';
import { INTERNAL_PHOTO_HOSTS, PHOTO_HOSTS, REDIRECTING_HOST } from './hosts.data.ts';

export const SOURCE = 'lakeside-ford';
export const DEALER_AUTHORIZATION = 'Basic cHJvZHVjdGlvbjpwcm9vZg==';
export const PRICES = { before: 30_000, after: 25_000 } as const;
export const VIN = 'WVWZZZ1KZAW000001';

/** Each name over the protocol that dealers use most there; the addresses count. */
export const GOOD_PHOTOS: readonly string[] = Object.values(PHOTO_HOSTS).flatMap((host) => [
  `https://${host}/1.jpg`,
  `http://${host}/2.jpg`,
]);
export const REFUSED_PHOTOS: readonly string[] = [
  ...Object.values(INTERNAL_PHOTO_HOSTS).map((host) => `http://${host}/3.jpg`),
  `https://${REDIRECTING_HOST}/4.jpg`,
  // Public, but of no dealer that the operator named.
  'https://fcm.googleapis.com/5.jpg',
];

/** A dealer's export of one vehicle, before and after the price fell. */
export function dealerFeed(isCheaper: boolean): string {
  const photos = [...GOOD_PHOTOS, ...REFUSED_PHOTOS].join('|');
  const price = isCheaper ? PRICES.after : PRICES.before;
  return [
    'vin,year,make,model,price,miles,dealer,zip,photos',
    `${VIN},2021,Ford,Escape,${price},30000,Lakeside Ford,60601,${photos}`,
    '',
  ].join('\n');
}

/** Mapping of the feed. */
export const FEED_MAP = {
  source: SOURCE,
  photoHosts: ['*.photos.example'],
  fields: HEADERS,
} as const;
