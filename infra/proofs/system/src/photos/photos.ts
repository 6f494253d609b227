import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { cpuSeconds, memoryMiB, processTree } from '@forecourt/harness/processes';
import { importPhotoFeed, runTool } from '@forecourt/harness/photoFeed';
import { freePort, removeDataDir, startService } from '@forecourt/local';
import sharp from 'sharp';
import { type Finding, type Proof, type ProofContext, reported, required } from '../proof.ts';
import {
  type FeedPhoto,
  type PhotoKind,
  photosOf,
  PHOTOS_PER_ROW,
  type PictureServer,
  SLOW,
  SOURCE,
  feedRow,
  SCENES,
  startPictureServer,
} from './pictureServer.ts';

const API = 'infra/services/marketplace-api';
const SHORT = {
  rows: 100,
  photos: { width: 1200, allDiffer: false },
  encoders: 1,
  limitMs: 12 * 60_000,
};
const LONG = {
  rows: 10_000,
  photos: { width: 640, allDiffer: true },
  encoders: 2,
  limitMs: 180 * 60_000,
};
/** Pictures whose size is measured. */
const MEASURED = 600;
/** ms without a finished photo after which the job counts as stuck; a slow server may take 15 s. */
const STUCK_MS = 60_000;
/** px of the picture of a card on a dense screen. */
const CARD_WIDTH = 640;
const MAX_CARD_KB = 25;
const MAX_GROWTH_MIB = 48;
/** The encoder is replaced when it is larger after a photo. */
const MAX_ENCODER_MIB = 400;

const WITHOUT_DEMO_DATA = { DEMO_DATA: 'false' };

async function startApi(folder: string, server: PictureServer, { onEnd, isLong }: ProofContext) {
  const port = await freePort();
  mkdirSync(join(folder, 'logs'));
  const api = startService({
    name: 'marketplace-api',
    folder: API,
    script: 'src/server.ts',
    port,
    logDir: join(folder, 'logs'),
    environment: {
      NODE_OPTIONS: '',
      LOCAL_MODE: 'true',
      LOG_LEVEL: 'warn',
      ...WITHOUT_DEMO_DATA,
      DATA_DIR: folder,
      INTERNAL_PHOTO_ORIGINS: `${server.origin},${server.slowOrigin}`,
      MARKETPLACE_API_PORT: String(port),
      PHOTO_ENCODERS: String((isLong ? LONG : SHORT).encoders),
    },
  });
  onEnd(() => api.stop());
  await api.ready();
  return { url: `http://127.0.0.1:${port}`, pid: api.pid! };
}

interface Sample {
  readonly apiMiB: number;
  readonly encoderMiB: number;
}

/** What is measured of a process; 0 for an encoder that was replaced since it was listed. */
const ofRunning = (measure: (pid: number) => number, pid: number): number => {
  try {
    return measure(pid);
  } catch {
    return 0;
  }
};
const memoryOf = (pid: number): number => ofRunning((one) => memoryMiB(one, 'resident'), pid);

/** Watches the photos until each was tried, and samples memory. @throws Error when none is finished for a minute */
async function watch(
  db: DatabaseSync,
  pid: number,
  total: number,
  limitMs: number,
  say: ProofContext['say'],
) {
  const tried = db.prepare(
    'SELECT count(*) AS done FROM photo_urls WHERE hash IS NOT NULL OR problem IS NOT NULL',
  );
  const samples: Sample[] = [];
  const cpu = new Map<number, number>();
  const started = performance.now();
  let lastChange = started;
  let slowestMs = 0;
  for (let done = 0; done < total;) {
    await wait(500);
    const now = performance.now();
    const current = (tried.get() as { done: number }).done;
    if (current > done) lastChange = now;
    slowestMs = Math.max(slowestMs, now - lastChange);
    if (now - lastChange > STUCK_MS)
      throw new Error(`no photo finished for a minute, ${done} of ${total} done`);
    if (now - started > limitMs)
      throw new Error(`${done} of ${total} photos after ${limitMs / 60_000} minutes`);
    if (Math.floor((current / total) * 10) > Math.floor((done / total) * 10))
      say(`${current} of ${total} photos`);
    done = current;
    const [api = pid, ...others] = processTree(pid);
    for (const one of [api, ...others]) cpu.set(one, Math.max(cpu.get(one) ?? 0, ofRunning(cpuSeconds, one)));
    samples.push({ apiMiB: memoryOf(api), encoderMiB: Math.max(0, ...others.map(memoryOf)) });
  }
  const cpuMs = [...cpu.values()].reduce((sum, one) => sum + one, 0) * 1_000;
  return { samples, slowestMs, cpuMs, seconds: (performance.now() - started) / 1_000 };
}

const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function memoryFindings(samples: readonly Sample[]): Finding[] {
  // By time, not by photos: a fast machine is done with most of them before the second sample.
  const between = (from: number, to: number) =>
    average(samples.slice(samples.length * from, samples.length * to).map(({ apiMiB }) => apiMiB));
  const [early, late] = [between(0.2, 0.4), between(0.8, 1)];
  const encoder = Math.max(...samples.map(({ encoderMiB }) => encoderMiB));
  return [
    reported(
      'Memory of the API at 20 % to 40 %, at 80 % to 100 % of the time',
      `${early.toFixed(0)} MiB, ${late.toFixed(0)} MiB`,
    ),
    required(
      'Its growth',
      `${(late - early).toFixed(0)} MiB`,
      `≤ ${MAX_GROWTH_MIB} MiB`,
      late - early <= MAX_GROWTH_MIB,
    ),
    required(
      'Peak of the encoder',
      `${encoder.toFixed(0)} MiB`,
      `≤ ${MAX_ENCODER_MIB} MiB`,
      encoder <= MAX_ENCODER_MIB,
    ),
  ];
}

/** Compares the operator's list of missing photos with the faults of the feed. */
async function reportFindings(folder: string, expected: readonly FeedPhoto[]): Promise<Finding[]> {
  const list = await runTool(folder, WITHOUT_DEMO_DATA, 'src/photos.ts', 'missing', '--source', SOURCE);
  const problems = new Map(
    list
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','))
      .map(([, , , , url = '', problem = '']) => [url, problem]),
  );
  const wrong = expected.filter(({ url, problem }) => problems.get(url) !== problem);
  const faults = expected.filter(({ problem }) => problem !== undefined);
  const first = wrong[0] && `${wrong[0].kind}: ${problems.get(wrong[0].url) ?? 'stored'}`;
  return [
    reported(
      'Photos with a fault',
      `${faults.length} of ${new Set(faults.map(({ kind }) => kind)).size} kinds`,
    ),
    required(
      'Photos that are not reported with their problem, or not stored',
      first ?? 0,
      '0',
      wrong.length === 0,
    ),
  ];
}

/** The stored photos as the site serves them. */
async function pictureFindings(
  db: DatabaseSync,
  api: string,
  expected: readonly FeedPhoto[],
): Promise<Finding[]> {
  const find = db.prepare(
    'SELECT p.hash, p.body FROM photo_urls u JOIN photos p ON p.hash = u.hash WHERE u.url = ?',
  );
  const stored = (url: string) => {
    const { hash, body } = find.get(url) as { hash: string; body: string };
    return { hash, ...(JSON.parse(body) as { width: number; height: number; widths: number[] }) };
  };
  const load = async (hash: string, width: number) =>
    Buffer.from(
      await (
        await fetch(`${api}/pictures/photos/${hash}-${width}`, { headers: { Accept: 'image/avif' } })
      ).arrayBuffer(),
    );
  const hashes = new Set<string>();
  const sizes = new Map<string, number>();
  for (const { url } of expected.filter(({ kind }) => kind === 'photo')) {
    const { hash } = stored(url);
    hashes.add(hash);
    if (!sizes.has(hash) && sizes.size < MEASURED) sizes.set(hash, (await load(hash, CARD_WIDTH)).length);
  }
  const kilobytes = average([...sizes.values()]) / 1_000;
  const one = (kind: PhotoKind) => stored(expected.find((photo) => photo.kind === kind)!.url);
  const [rotated, cmyk, animated] = [one('rotated'), one('cmyk'), one('animated')];
  const { space, exif, orientation } = await sharp(await load(cmyk.hash, cmyk.widths.at(-1)!)).metadata();
  const { pages = 1 } = await sharp(await load(animated.hash, animated.widths.at(-1)!)).metadata();
  const isUpright = rotated.height === 2 * rotated.width;
  const isPlain = space === 'srgb' && exif === undefined && orientation === undefined;
  return [
    reported('Different photos', hashes.size),
    required(
      `Average size at ${CARD_WIDTH} px, AVIF`,
      `${kilobytes.toFixed(1)} KB`,
      `≤ ${MAX_CARD_KB} KB`,
      kilobytes <= MAX_CARD_KB,
    ),
    required('Photo with an EXIF rotation', isUpright ? 'upright' : 'lying', 'upright', isUpright),
    required('CMYK photo', isPlain ? 'sRGB, no metadata' : String(space), 'sRGB, no metadata', isPlain),
    required('Frames of an animated picture', pages, '1', pages === 1),
  ];
}

export const photos: Proof = {
  name: 'photos',
  title: 'Photos of a feed are fetched through every fault',
  needsPages: false,
  limitMs: LONG.limitMs + 30 * 60_000,
  method: `A feed of ${SHORT.rows} rows (\`--long\`: ${LONG.rows.toLocaleString('en-US')}) with ${PHOTOS_PER_ROW} photos each is imported while the marketplace API runs. A server of the proof provides drawn scenes with grain like that of photos, ${SHORT.photos.width} px wide (${LONG.photos.width}); ${SCENES} differ, the others repeat their bytes under URLs of their own (all differ in their bytes), and ${SHORT.encoders} process encodes them (${LONG.encoders}). One photo per row has a fault in turn: 404, HTML or SVG with a script named .jpg, a decompression bomb of 144 megapixels, a file cut short, 40 MB without end, a redirect to a private address, a host that the mapping doesn't allow, an EXIF rotation, CMYK, an animation; ${SLOW} photos come after 25 s. Memory is resident, sampled twice a second.`,
  async run(context) {
    const { rows, photos: kind, limitMs } = context.isLong ? LONG : SHORT;
    const folder = mkdtempSync(join(tmpdir(), 'forecourt-photos-'));
    context.onEnd(() => removeDataDir(folder));
    context.say('drawing photos');
    const server = await startPictureServer(kind);
    context.onEnd(() => server.stop());
    const feed = Array.from({ length: rows }, (_, row) => photosOf(row, server));
    const expected = feed.flat();
    const api = await startApi(folder, server, context);
    await importPhotoFeed(folder, WITHOUT_DEMO_DATA, SOURCE, feed.map(feedRow));
    const db = new DatabaseSync(join(folder, 'marketplace.sqlite'), { readOnly: true, timeout: 5_000 });
    context.onEnd(() => db.close());
    const watched = await watch(db, api.pid, expected.length, limitMs, context.say);
    const { samples, slowestMs, cpuMs, seconds } = watched;
    const listings = db.prepare("SELECT count(*) AS shown FROM listings WHERE body ->> 'photos' IS NOT NULL");
    const { shown } = listings.get() as { shown: number };
    return [
      reported('Photos', `${expected.length} in ${seconds.toFixed(0)} s`),
      reported(
        'Processor time of the API and its encoders',
        `${(cpuMs / expected.length).toFixed(0)} ms a photo`,
      ),
      reported('Average size as fetched', `${(server.averageBytes / 1_000).toFixed(0)} KB`),
      required(
        'Longest time without a finished photo',
        `${(slowestMs / 1_000).toFixed(0)} s`,
        '≤ 60 s',
        true,
      ),
      required('Listings with photos', shown, String(rows), shown === rows),
      ...(await reportFindings(folder, expected)),
      required(
        'Requests to the private address',
        server.privateRequests(),
        '0',
        server.privateRequests() === 0,
      ),
      ...(await pictureFindings(db, api.url, expected)),
      ...memoryFindings(samples),
    ];
  },
};
