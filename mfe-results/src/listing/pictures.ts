import type { Listing } from '@forecourt/shared-contracts/entities';

export type Picture = Listing['images']['sources'][number];

/** A listing's primary picture, else its first (A3-LISTING-11, B3-LISTING-04). */
export const primaryPicture = ({ images: { sources, primary } }: Listing): Picture | undefined =>
  sources[primary] ?? sources[0];

/** The primary picture first. */
export function orderedPictures(listing: Listing): readonly Picture[] {
  const first = primaryPicture(listing);
  return first ? [first, ...listing.images.sources.filter((picture) => picture !== first)] : [];
}

/** Attributes by which the browser chooses a variant for its width; none for a drawing, which has one. */
export function variantsOf({ src, widths }: Picture, sizes: string): { srcSet?: string; sizes?: string } {
  if (!widths || widths.length < 2) return {};
  const base = src.replace(/\d+$/, '');
  return { srcSet: widths.map((width) => `${base}${width} ${width}w`).join(', '), sizes };
}
