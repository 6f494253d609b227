/** Widths in px at which photos are stored: a card on a phone or in three columns, the same on dense screens, the vehicle page. */
export const PHOTO_WIDTHS = [320, 640, 1280] as const;

/** Best first. */
export const PHOTO_FORMATS = ['avif', 'webp'] as const;
export type PhotoFormat = (typeof PHOTO_FORMATS)[number];

/** A stored photo: what pages need to know of it. Sizes are px. */
export interface StockPhoto {
  /** Name of its files: 128 bits of the SHA-256 of the fetched bytes, hexadecimal. */
  readonly hash: string;
  /** Of the largest stored variant. */
  readonly width: number;
  readonly height: number;
  /** Of all stored variants, ascending. */
  readonly widths: readonly number[];
  /** Dominant color, '#rrggbb'. */
  readonly color: string;
  /** A blurred preview, about 100 bytes: base64 of a WebP file. */
  readonly blur: string;
}

/** Why a photo isn't shown. */
export type PhotoProblem =
  /** Its host is not in the feed's `photoHosts`, or leads into an internal network. */
  | 'REFUSED'
  | 'UNREACHABLE'
  | 'TIMEOUT'
  /** More bytes or pixels than the limits. */
  | 'TOO_LARGE'
  /** `HTTP_404` etc. */
  | `HTTP_${number}`
  /** Not a JPEG, PNG, WebP, GIF or AVIF by its content, e.g. an HTML page or an SVG. */
  | 'NOT_A_PICTURE'
  /** A picture that can't be decoded. */
  | 'BROKEN';
