const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

/** Brands of AVIF in an ISO media file. */
const AVIF_BRANDS = ['avif', 'avis'];

/** Whether bytes begin as JPEG, PNG, WebP, GIF or AVIF do; the Content-Type of a response says nothing reliable. */
export function isPicture(bytes: Uint8Array): boolean {
  if (bytes.length < 16) return false;
  return (
    (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) ||
    ascii(bytes, 0, 8) === '\u0089PNG\r\n\u001a\n' ||
    (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') ||
    /^GIF8[79]a$/.test(ascii(bytes, 0, 6)) ||
    (ascii(bytes, 4, 8) === 'ftyp' && AVIF_BRANDS.includes(ascii(bytes, 8, 12)))
  );
}
