import type { Listing } from '@forecourt/shared-contracts/entities';

/** The picture that stands for a listing: its primary one, else its first (A3-LISTING-11, B3-LISTING-04). */
export const primaryPicture = ({
  images: { sources, primary },
}: Listing): { readonly src: string; readonly alt: string } | undefined => sources[primary] ?? sources[0];
