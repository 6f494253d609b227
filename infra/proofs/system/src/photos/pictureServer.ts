import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { FeedRow } from '@forecourt/harness/photoFeed';
import sharp from 'sharp';

/** px of the scene; dealers' cameras and feeds provide about this. */
const PHOTO = { width: 1200, height: 900 };
/** Grain at several scales, as shares of the size: photos have detail at all of them. */
const GRAIN: readonly (readonly [share: number, sigma: number])[] = [
  [1 / 48, 26],
  [1 / 12, 18],
  [1 / 3, 13],
  [1, 9],
];
/** ms after which a slow server responds; photos may take 15 s. */
const SLOW_MS = 25_000;
const BOMB_SIDE = 12_000;
/** More than the 15 MB that a photo may have. */
const ENDLESS_CHUNKS = 40;

/** What is wrong with a photo; `photo` is a good one. */
export type PhotoKind =
  | 'photo'
  | 'rotated'
  | 'cmyk'
  | 'animated'
  | 'missing'
  | 'html'
  | 'script'
  | 'bomb'
  | 'cut'
  | 'endless'
  | 'private'
  | 'foreign'
  | 'slow';

const grain = (sigma: number, width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma },
    },
  })
    .png()
    .toBuffer();

/** A colored car on asphalt under a sky, drawn from the number. */
function sceneOf(number: number): Buffer {
  const { width, height } = PHOTO;
  const hue = (number * 47) % 360;
  const left = 120 + ((number * 13) % 160);
  const wheel = (x: number) =>
    `<circle cx="${x}" cy="690" r="88" fill="#161616"/><circle cx="${x}" cy="690" r="52" fill="#9a9a9a"/>`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
      <linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${200 + (number % 30)},45%,70%)"/><stop offset="1" stop-color="#dfe4e6"/></linearGradient>
      <rect width="100%" height="60%" fill="url(#sky)"/><rect y="48%" width="100%" height="14%" fill="hsl(${90 + (number % 40)},25%,34%)"/>
      <rect y="60%" width="100%" height="40%" fill="#5b5a58"/>
      <path d="M${left} 660q10-130 170-150q130-130 300-120q150 0 240 130q140 20 140 150v40h-850z" fill="hsl(${hue},55%,38%)"/>
      <path d="M${left + 210} 505q100-90 220-88l10 92zM${left + 470} 418q110 6 170 98l-165-5z" fill="#26323a"/>
      ${wheel(left + 190)}${wheel(left + 650)}</svg>`,
  );
}

/** The layers of grain in full size. */
const grainLayers = (): Promise<Buffer[]> =>
  Promise.all(
    GRAIN.map(async ([share, sigma]) => {
      const { width, height } = PHOTO;
      const small = await grain(sigma, Math.ceil(width * share), Math.ceil(height * share));
      return sharp(small).resize(width, height, { fit: 'fill', kernel: 'cubic' }).png().toBuffer();
    }),
  );

/** A JPEG like a photo: a scene with grain. */
async function photoOf(number: number, layers: readonly Buffer[], width: number): Promise<Buffer> {
  const scene = await sharp(sceneOf(number))
    .composite(layers.map((input) => ({ input, blend: 'soft-light' as const })))
    .flatten()
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(scene).resize({ width }).jpeg({ quality: 85 }).toBuffer();
}

/** The photo with a comment after its first marker: the same picture in other bytes. */
function withComment(photo: Buffer, text: string): Buffer {
  const comment = Buffer.from(`\0\0\0\0${text}`);
  comment.writeUInt16BE(0xff_fe, 0);
  comment.writeUInt16BE(comment.length - 2, 2);
  return Buffer.concat([photo.subarray(0, 2), comment, photo.subarray(2)]);
}

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a33' } });

async function animation(): Promise<Buffer> {
  const frames = ['#f00', '#00f', '#0f0'].map((background) =>
    sharp({ create: { width: 400, height: 300, channels: 3, background } })
      .raw()
      .toBuffer(),
  );
  const raw = { width: 400, height: 900, channels: 3 as const, pageHeight: 300 };
  return sharp(Buffer.concat(await Promise.all(frames)), { raw })
    .gif()
    .toBuffer();
}

/** Files with a fault in their content. */
async function faultyFiles(photo: Buffer): Promise<Partial<Record<PhotoKind, Buffer>>> {
  return {
    rotated: await plain(800, 400).jpeg().withMetadata({ orientation: 6 }).toBuffer(),
    cmyk: await plain(640, 480).toColorspace('cmyk').jpeg().toBuffer(),
    animated: await animation(),
    html: Buffer.from('<!doctype html><title>Sold</title><h1>This vehicle is sold</h1>'.padEnd(400)),
    script: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
    ),
    bomb: await plain(BOMB_SIDE, BOMB_SIDE).png({ compressionLevel: 9 }).toBuffer(),
    cut: photo.subarray(0, photo.length / 2),
  };
}

/** Sends 40 MB that begin as a photo. */
function sendEndless(response: ServerResponse, photo: Buffer): void {
  response.writeHead(200, { 'Content-Type': 'image/jpeg' }).write(photo);
  const rest = Readable.from(Array.from({ length: ENDLESS_CHUNKS }, () => Buffer.alloc(1_000_000)));
  pipeline(rest, response, () => response.destroy());
}

export interface PictureServer {
  readonly origin: string;
  /** Another origin, whose server answers late. */
  readonly slowOrigin: string;
  /** Requests that reached the private address. */
  privateRequests(): number;
  /** Average size of a good photo as sent. */
  readonly averageBytes: number;
  stop(): Promise<void>;
}

async function listen(listener: RequestListener): Promise<{ server: Server; origin: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Scenes that are drawn; photos repeat them. */
export const SCENES = 60;

interface Photos {
  /** px */
  readonly width: number;
  /** No photo repeats the bytes of another one. */
  readonly allDiffer: boolean;
}

/** Serves photos at `/<kind>/<number>.jpg`, all as image/jpeg as careless servers do. */
export async function startPictureServer({ width, allDiffer }: Photos): Promise<PictureServer> {
  let privateRequests = 0;
  const photos: Buffer[] = [];
  const layers = await grainLayers();
  for (let number = 0; number < SCENES; number += 1) photos.push(await photoOf(number, layers, width));
  const photo = (number: number) => {
    const scene = photos[number % SCENES]!;
    return allDiffer ? withComment(scene, String(number)) : scene;
  };
  const files = await faultyFiles(photos[0]!);
  const secret = await listen((_, response) => {
    privateRequests += 1;
    response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(photos[0]);
  });
  const slow = await listen((_, response) => {
    setTimeout(() => response.end(photos[0]), SLOW_MS).unref();
  });
  const main = await listen(({ url = '' }, response) => {
    const [, kind = '', number = ''] = url.split('/');
    const file = kind === 'photo' ? photo(Number.parseInt(number, 10)) : files[kind as PhotoKind];
    if (kind === 'private') response.writeHead(302, { Location: `${secret.origin}/secret.jpg` }).end();
    else if (kind === 'endless') sendEndless(response, photos[0]!);
    else if (file) response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(file);
    else response.writeHead(404).end();
  });
  const servers = [secret, slow, main].map(({ server }) => server);
  return {
    origin: main.origin,
    slowOrigin: slow.origin,
    privateRequests: () => privateRequests,
    averageBytes: photos.reduce((sum, { length }) => sum + length, 0) / photos.length,
    async stop() {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

export const SOURCE = 'proof';
export const PHOTOS_PER_ROW = 6;

/** Kinds of photos by position in the feed, in turn among good ones; undefined: stored. */
const FAULTS: readonly (readonly [kind: PhotoKind, problem?: string])[] = [
  ['missing', 'HTTP_404'],
  ['html', 'NOT_A_PICTURE'],
  ['script', 'NOT_A_PICTURE'],
  ['bomb', 'TOO_LARGE'],
  ['rotated'],
  ['cmyk'],
  ['animated'],
  ['private', 'REFUSED'],
  ['foreign', 'REFUSED'],
  ['cut', 'BROKEN'],
  ['endless', 'TOO_LARGE'],
];
/** Slow photos, fewer than the failures after which a host is left alone. */
export const SLOW = 3;

export interface FeedPhoto {
  readonly url: string;
  readonly kind: PhotoKind;
  /** Undefined: it is to be stored. */
  readonly problem: string | undefined;
}

/** The second photo of each row has a fault, the others are good. */
export function photosOf(row: number, { origin, slowOrigin }: PictureServer): FeedPhoto[] {
  return Array.from({ length: PHOTOS_PER_ROW }, (_, position) => {
    const number = row * PHOTOS_PER_ROW + position;
    if (position === 0 && row < SLOW)
      return { url: `${slowOrigin}/slow/${number}.jpg`, kind: 'slow', problem: 'TIMEOUT' };
    const [kind, problem] = position === 1 ? FAULTS[row % FAULTS.length]! : (['photo'] as const);
    const host = kind === 'foreign' ? 'http://photos.elsewhere.example' : origin;
    return { url: `${host}/${kind}/${number}.jpg`, kind, problem };
  });
}

/** VINs of European vehicles, which have no check digit. */
const vinOf = (row: number) => `WVWZZZ1KZAW${String(row).padStart(6, '0')}`;

/** Row of the feed with these photos. */
export const feedRow = (photos: readonly FeedPhoto[], row: number): FeedRow => ({
  vin: vinOf(row),
  year: 2021,
  make: 'Ford',
  model: 'Escape',
  price: 20_000 + row,
  mileage: 30_000 + row,
  sellerName: 'Lakeside Ford',
  zip: '60601',
  photoUrls: photos.map(({ url }) => url).join('|'),
});
