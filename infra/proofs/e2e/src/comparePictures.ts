import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/** Color difference, 0 to 1, below which two pixels are the same; differences of antialiasing never count. */
const PIXEL_THRESHOLD = 0.1;

export interface Comparison {
  readonly name: string;
  readonly kind: 'same' | 'changed' | 'new' | 'gone';
  /** Share of the pixels that differ, 0 to 1. */
  readonly share: number;
}

export interface CompareOptions {
  /** Folder of the approved pictures, `<name>.png`. */
  readonly baseline: string;
  /** Folder for the pictures that differ, and for the differences; emptied first. */
  readonly results: string;
  /** Share of a picture's pixels that may differ, 0 to 1. */
  readonly tolerance: number;
  /** The baseline becomes what was taken. */
  readonly isApproving: boolean;
}

/** On a transparent canvas of this size, because pictures of another size are compared too. */
function padded(picture: PNG, width: number, height: number): PNG {
  if (picture.width === width && picture.height === height) return picture;
  const canvas = new PNG({ width, height });
  PNG.bitblt(picture, canvas, 0, 0, picture.width, picture.height, 0, 0);
  return canvas;
}

/** The share of differing pixels, and a picture that marks them. */
export function compareTwo(
  approved: Buffer,
  taken: Buffer,
): { readonly share: number; readonly marked: Buffer } {
  const [before, after] = [PNG.sync.read(approved), PNG.sync.read(taken)];
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const marked = new PNG({ width, height });
  const [left, right] = [before, after].map((picture) => padded(picture, width, height).data) as [
    Buffer,
    Buffer,
  ];
  const count = pixelmatch(left, right, marked.data, width, height, { threshold: PIXEL_THRESHOLD });
  return { share: count / (width * height), marked: PNG.sync.write(marked) };
}

const NAME = /^(.+)\.png$/;

/** Compares pictures by name with the approved ones, or approves them. Ordered by name. */
export function comparePictures(
  taken: ReadonlyMap<string, Buffer>,
  { baseline, results, tolerance, isApproving }: CompareOptions,
): readonly Comparison[] {
  rmSync(results, { recursive: true, force: true });
  for (const folder of [baseline, results]) mkdirSync(folder, { recursive: true });
  const approvedNames = readdirSync(baseline).flatMap((file) => NAME.exec(file)?.[1] ?? []);
  const names = [...new Set([...approvedNames, ...taken.keys()])].sort();
  return names.map((name): Comparison => {
    const path = join(baseline, `${name}.png`);
    const picture = taken.get(name);
    if (!picture) {
      if (isApproving) rmSync(path);
      return { name, kind: 'gone', share: 1 };
    }
    if (!existsSync(path)) {
      writeFileSync(join(isApproving ? baseline : results, `${name}.png`), picture);
      return { name, kind: 'new', share: 1 };
    }
    const { share, marked } = compareTwo(readFileSync(path), picture);
    if (share <= tolerance) return { name, kind: 'same', share };
    if (isApproving) writeFileSync(path, picture);
    else {
      writeFileSync(join(results, `${name}.png`), picture);
      writeFileSync(join(results, `${name}.difference.png`), marked);
    }
    return { name, kind: 'changed', share };
  });
}

/** 'empty-390: 1.2 % of its pixels differ'. */
export const describeComparison = ({ name, kind, share }: Comparison): string =>
  kind === 'changed'
    ? `${name}: ${(share * 100).toPrecision(2)} % of its pixels differ`
    : `${name}: ${kind === 'new' ? 'has no approved picture' : kind === 'gone' ? 'has an approved picture, but is no scenario' : 'is the same'}`;
