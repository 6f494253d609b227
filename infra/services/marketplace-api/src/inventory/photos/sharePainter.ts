import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import escapeHtml from 'escape-html';
import sharp from 'sharp';
import { servePictureRequests, createPictureProcess, type PictureProcess } from './photoEncoder.ts';

/** What a share picture shows. */
export interface ShareCard {
  readonly title: string;
  /** Printed large, e.g. a price. */
  readonly highlight?: string;
  readonly facts: readonly string[];
  readonly site: string;
  /** One picture or four, as WebP or SVG. */
  readonly pictures: readonly Uint8Array[];
}

/** px; the size that chats and social networks show without cutting. */
const SHARE_SIZE = { width: 1200, height: 630 } as const;

export type SharePainter = PictureProcess<ShareCard, Uint8Array>;

/** Draws share pictures in a process of its own. */
export const createSharePainter = (): SharePainter =>
  createPictureProcess(join(import.meta.dirname, 'sharePainter.ts'), { timeoutMs: 5_000 });

/** px; pictures of cars are 4:3. */
const PICTURE = { width: 840, height: 630 };
const PANEL = { left: 872, width: 296, top: 40, bottom: 40 };
const COLORS = { text: '#14181d', quiet: '#4a5560', accent: '#0b5bd3', paper: '#ffffff', empty: '#e8ecf0' };

const FONTS = {
  regular: import.meta.resolve('@expo-google-fonts/lato/400Regular/Lato_400Regular.ttf'),
  bold: import.meta.resolve('@expo-google-fonts/lato/700Bold/Lato_700Bold.ttf'),
} as const;

interface Line {
  readonly text: string;
  readonly weight: keyof typeof FONTS;
  readonly color: string;
  /** px, the largest first; the first whose lines fit in `maxHeight` is taken. */
  readonly sizes: readonly number[];
  readonly maxHeight: number;
}

/** Text without a system font: servers often have none. */
async function drawText({ text, weight, color, sizes, maxHeight }: Line) {
  const draw = (size: number) =>
    sharp({
      text: {
        text: `<span foreground="${color}">${escapeHtml(text)}</span>`,
        font: `Lato ${weight === 'bold' ? 'Bold ' : ''}${size}`,
        fontfile: fileURLToPath(FONTS[weight]),
        width: PANEL.width,
        wrap: 'word-char',
        rgba: true,
      },
    })
      .png()
      .toBuffer({ resolveWithObject: true });
  let drawn = await draw(sizes[0]!);
  for (const size of sizes.slice(1)) if (drawn.info.height > maxHeight) drawn = await draw(size);
  const { width, height } = drawn.info;
  if (height <= maxHeight) return { bytes: drawn.data, height };
  const bytes = await sharp(drawn.data).extract({ left: 0, top: 0, width, height: maxHeight }).toBuffer();
  return { bytes, height: maxHeight };
}

/** One picture fills its side; four share it. */
async function layPictures(pictures: readonly Uint8Array[]) {
  const shown = pictures.length >= 4 ? pictures.slice(0, 4) : pictures.slice(0, 1);
  const columns = shown.length === 4 ? 2 : 1;
  const [width, height] = [PICTURE.width / columns, PICTURE.height / columns];
  return await Promise.all(
    shown.map(async (picture, at) => ({
      input: await sharp(picture)
        .resize({ width, height, fit: 'cover' })
        .flatten({ background: COLORS.empty })
        .png()
        .toBuffer(),
      left: (at % columns) * width,
      top: Math.floor(at / columns) * height,
    })),
  );
}

/** The pictures on the left, the texts from top to bottom on the right, the site at the end. */
async function paint({ title, highlight, facts, site, pictures }: ShareCard): Promise<Buffer> {
  const lines: Line[] = [
    { text: title, weight: 'bold', color: COLORS.text, sizes: [42, 36, 30], maxHeight: 220 },
    ...(highlight
      ? [{ text: highlight, weight: 'bold', color: COLORS.accent, sizes: [46, 38], maxHeight: 60 } as const]
      : []),
    ...facts
      .slice(0, 4)
      .map(
        (text) => ({ text, weight: 'regular', color: COLORS.quiet, sizes: [28, 24], maxHeight: 62 }) as const,
      ),
  ];
  const texts: { input: Buffer; left: number; top: number }[] = [];
  let top = PANEL.top;
  for (const line of lines) {
    const { bytes, height } = await drawText(line);
    texts.push({ input: bytes, left: PANEL.left, top });
    top += height + (line.weight === 'bold' ? 28 : 16);
  }
  const name = await drawText({
    text: site,
    weight: 'bold',
    color: COLORS.quiet,
    sizes: [26],
    maxHeight: 34,
  });
  texts.push({ input: name.bytes, left: PANEL.left, top: SHARE_SIZE.height - PANEL.bottom - name.height });
  return await sharp({ create: { ...SHARE_SIZE, channels: 3, background: COLORS.paper } })
    .composite([...(await layPictures(pictures)), ...texts])
    .jpeg({ quality: 82, mozjpeg: true })
    .toBuffer();
}

// As the entry of the process.
if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) {
  sharp.concurrency(1);
  sharp.cache(false);
  // Stored photos and the drawings of this service, whose SVG names no file.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadWebp', 'VipsForeignLoadSvg', 'VipsForeignLoadPng'] });
  servePictureRequests(paint);
}
