import sharp, { type Sharp } from 'sharp';
import { PHOTO_WIDTHS, type PhotoFormat } from '../../domain/stock.ts';
import { servePictureRequests, type EncodedPhoto } from './photoEncoder.ts';

/** Larger pictures are refused before they are decoded: 40 megapixels take up to 160 MB. */
const MAX_PIXELS = 40_000_000;
const PREVIEW = { width: 16, height: 12 };

/**
 * Measured with drawn scenes with grain at three widths, by time, bytes and SSIM of the brightness. AVIF at effort 2 takes twice
 * the time of effort 1 and has larger files; at effort 4 twenty times for a tenth less. Colors at half the resolution, as in
 * nearly all JPEG files, save a fifth of the time and 7 % of the bytes. WebP is for the few browsers without AVIF.
 */
const encoders: Readonly<Record<PhotoFormat, (image: Sharp) => Sharp>> = {
  avif: (image) => image.avif({ quality: 51, effort: 1, chromaSubsampling: '4:2:0' }),
  webp: (image) => image.webp({ quality: 69, effort: 2 }),
};

// Runs in a process of its own: one thread, and no memory kept between pictures.
sharp.concurrency(1);
sharp.cache(false);
// Only what the type check lets through; above all no SVG, which may reference files and run filters.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
  ],
});

/**
 * Re-encodes a picture at the widths of the layout: the first frame, upright, in sRGB, without metadata.
 * Throws sharp's error for what can't be decoded or has too many pixels.
 */
async function encodePhoto(original: Uint8Array): Promise<EncodedPhoto> {
  // Decoded once, at the largest width.
  const { data, info } = await sharp(original, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
    .autoOrient()
    .resize({ width: PHOTO_WIDTHS.at(-1), withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const decoded = () =>
    sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  const widths = [...PHOTO_WIDTHS.filter((width) => width < info.width), info.width];
  const files: { width: number; format: PhotoFormat; bytes: Buffer }[] = [];
  for (const width of widths)
    for (const format of Object.keys(encoders) as PhotoFormat[])
      files.push({ width, format, bytes: await encoders[format](decoded().resize({ width })).toBuffer() });
  const preview = await decoded()
    .resize({ ...PREVIEW, fit: 'cover' })
    .webp({ quality: 20 })
    .toBuffer();
  // Statistics are those of a pipeline's input: the size is reduced in one of its own.
  const small = await decoded().resize({ width: 64 }).raw().toBuffer({ resolveWithObject: true });
  const { dominant } = await sharp(small.data, { raw: small.info }).stats();
  return {
    photo: {
      width: info.width,
      height: info.height,
      widths,
      color: `#${[dominant.r, dominant.g, dominant.b].map((value) => value.toString(16).padStart(2, '0')).join('')}`,
      blur: preview.toString('base64'),
    },
    files,
  };
}

// Entry of the process that decodes pictures of strangers: a picture that crashes or fills it takes nothing else along.
servePictureRequests(encodePhoto, ({ message }) => (/pixel limit/.test(message) ? 'TOO_LARGE' : 'BROKEN'));
