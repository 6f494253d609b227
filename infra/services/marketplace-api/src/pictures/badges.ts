import { findMakeBySlug } from '../catalogue/catalogue.ts';

/** What the small tiles on a card say (AMB-036). */
export const TILE_KINDS = ['certified', 'history', 'dealer'] as const;
export type TileKind = (typeof TILE_KINDS)[number];

/** Words of the tiles by name; a certified one bears its make's. */
const TILE_WORDS: Readonly<Record<TileKind, Readonly<Record<string, string>>>> = {
  certified: { 'third-party': 'Third-Party Certified' },
  history: { 'one-owner': 'One Owner', 'no-accidents': 'No Accidents' },
  dealer: { 'home-delivery': 'Home Delivery', 'buy-online': 'Buy Online', 'top-rated': 'Top Rated' },
};
const TILE_COLORS: Readonly<Record<TileKind, string>> = {
  certified: '#0b5d3b',
  history: '#24466f',
  dealer: '#6b3a0f',
};

const SIGNS = 'M5 12.5 9.5 17 19 7.5';

/** '/pictures/tiles/certified/ford.svg' */
export const tilePath = (kind: TileKind, name: string): string => `/pictures/tiles/${kind}/${name}.svg`;

const SYMBOLS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (symbol) => SYMBOLS[symbol]!);

function wordsOf(kind: TileKind, name: string): string | undefined {
  const words = TILE_WORDS[kind];
  if (Object.hasOwn(words, name)) return words[name];
  const make = kind === 'certified' ? findMakeBySlug(name) : undefined;
  return make && `${make.name} Certified`;
}

/** A tick and a few words on a coloured plate, 5:1; undefined for a tile that there is not. */
export function renderTileSvg(kind: string, name: string): string | undefined {
  const known = TILE_KINDS.find((candidate) => candidate === kind);
  const words = known && wordsOf(known, name);
  if (!known || !words) return undefined;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 32" role="img">' +
    `<title>${escaped(words)}</title><rect width="160" height="32" rx="6" fill="${TILE_COLORS[known]}"/>` +
    `<path d="${SIGNS}" transform="translate(2 4)" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/>` +
    `<text x="32" y="20.5" fill="#fff" font-family="system-ui,sans-serif" font-size="12" font-weight="600" textLength="${Math.min(120, words.length * 6.4)}" lengthAdjust="spacingAndGlyphs">${escaped(words)}</text></svg>`
  );
}

/** Steps of the colour circle that logos use. */
const HUES = 12;

/** Initials of a name's first words: 'Lakeside Ford' is LF. */
const initialsOf = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => word[0])
    .join('')
    .toLowerCase();

/** '/pictures/logos/7/lf.svg': the same name always has the same logo. */
export function logoPath(name: string): string | undefined {
  const initials = initialsOf(name);
  let hue = 0;
  for (const letter of name) hue = (hue * 31 + letter.charCodeAt(0)) % HUES;
  return initials ? `/pictures/logos/${hue}/${initials}.svg` : undefined;
}

/** A dealer's initials on its colour, 1:1; undefined for what no logo path names. */
export function renderLogoSvg(hue: string, initials: string): string | undefined {
  const step = /^\d{1,2}$/.test(hue) ? Number(hue) : HUES;
  if (step >= HUES || !/^[a-z0-9]{1,2}$/.test(initials)) return undefined;
  const color = `hsl(${step * (360 / HUES)} 45% 32%)`;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img">' +
    `<rect width="96" height="96" rx="16" fill="${color}"/>` +
    `<text x="48" y="62" text-anchor="middle" fill="#fff" font-family="system-ui,sans-serif" font-size="40" font-weight="700">${initials.toUpperCase()}</text></svg>`
  );
}
