import { BRANDS } from '@forecourt/search/brands';
import type { SessionState } from '@forecourt/search/state';
import { signInLink } from '@forecourt/search/url';
import { escapeHtml } from '../../engine/compose/html.ts';
import type { SlotPlacement } from '../../engine/layout/placement.ts';
import { savedCount } from './universal/savedCount.ts';
import type { Frame, HeadFields, HeadInput, TopInput } from '../../engine/index.ts';

/** The page's surface in both color schemes, for the browser's own bars. */
const THEME_COLORS = { light: '#ffffff', dark: '#14181d' } as const;

/** px; of share pictures. */
const SHARE_SIZE = { width: '1200', height: '630' } as const;

/** What chats and social networks show of a link (https://ogp.me), and the color of the browser's bars. */
function linkPreview(
  { title, description, canonical, shareImage }: HeadFields,
  brand: SessionState['brand'],
  origin: string,
): string {
  const properties = {
    'og:type': 'website',
    'og:site_name': BRANDS[brand].name,
    'og:title': title,
    'og:description': description,
    'og:url': origin + canonical,
    ...(shareImage && {
      'og:image': origin + shareImage,
      'og:image:type': 'image/jpeg',
      'og:image:width': SHARE_SIZE.width,
      'og:image:height': SHARE_SIZE.height,
      'og:image:alt': title,
    }),
  };
  return (
    Object.entries(properties)
      .map(([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}">`)
      .join('') +
    `<meta name="twitter:card" content="${shareImage ? 'summary_large_image' : 'summary'}">` +
    Object.entries(THEME_COLORS)
      .map(
        ([scheme, color]) =>
          `<meta name="theme-color" content="${color}" media="(prefers-color-scheme: ${scheme})">`,
      )
      .join('') +
    '<link rel="apple-touch-icon" href="/icons/180.png">'
  );
}

/** The web app's manifest (https://www.w3.org/TR/appmanifest). */
export const webManifest = (brand: SessionState['brand']): object => ({
  id: '/',
  name: BRANDS[brand].name,
  short_name: BRANDS[brand].name,
  description: 'New and used vehicles for sale near you.',
  lang: 'en-US',
  start_url: '/cars-for-sale/all-cars',
  scope: '/',
  display: 'minimal-ui',
  background_color: THEME_COLORS.light,
  theme_color: THEME_COLORS.light,
  icons: [
    { src: '/favicon.ico', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    { src: '/icons/192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icons/512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icons/maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
});

/** SVG of the site's logo. */
export const siteLogo =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='#0b5bd3'/><path d='M6 20l3-7h14l3 7v4H6z' fill='white'/></svg>";

/** In the page itself: browsers request an icon before the page's scripts have arrived. */
const LOGO_LINK = `<link rel="icon" href="data:image/svg+xml,${siteLogo.replace(/[<>#]/g, encodeURIComponent)}">`;

/** The page up to and including `<body>`: everything that the first paint needs. */
function pageHead({ head, session: { brand }, origin, style }: HeadInput): string {
  const { title, description, canonical, isIndexed, heroImage } = head;
  return (
    // Styles of slots may postpone what the first view does not show; scripts remove the mark.
    `<!doctype html><html lang="en" data-brand="${brand}" data-first-view><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<title>${escapeHtml(title)}</title>` +
    `<meta name="description" content="${escapeHtml(description)}">` +
    `<link rel="canonical" href="${escapeHtml(origin + canonical)}">` +
    (isIndexed ? '' : '<meta name="robots" content="noindex">') +
    LOGO_LINK +
    linkPreview(head, brand, origin) +
    (heroImage
      ? `<link rel="preload" as="image" href="${escapeHtml(heroImage)}" fetchpriority="high">`
      : '') +
    style.html +
    '</head><body>'
  );
}

const SKIP_LINKS = {
  listings: '<a class="fc-skip" href="#listings">Skip to vehicle Listings</a>',
  main: '<a class="fc-skip" href="#main">Skip to the page’s content</a>',
} as const;

/** Content above the slots: skip link, an extension's banner and the site's bar. */
function pageTop({ state: { page, session }, currentUrl, banner }: TopInput): string {
  const skipTo = page.kind === 'results' ? 'listings' : 'main';
  return (
    SKIP_LINKS[skipTo] +
    banner +
    siteBar(session, currentUrl, page.kind === 'results') +
    `<main class="fc-main" id="main"${skipTo === 'main' ? ' tabindex="-1"' : ''}>`
  );
}

const icon = (shape: string): string =>
  `<svg class="fc-icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round">${shape}</svg>`;
const HEART = icon(
  '<path d="M12 20C5 15 3 12 3 8a4.5 4.5 0 0 1 9-1 4.5 4.5 0 0 1 9 1c0 4-2 7-9 12z"></path>',
);
const PERSON = icon(
  '<circle cx="12" cy="8" r="4"></circle><path d="M4 20c1.5-4 4.5-6 8-6s6.5 2 8 6"></path>',
);

/** The site's bar. `current` is the page's path and query, to return to after signing in; `isWide`: of a page that uses wide screens. */
export const siteBar = (
  session: Pick<SessionState, 'brand' | 'signedIn' | 'account' | 'signInPath'> &
    Partial<Pick<SessionState, 'savedListingIds' | 'savedSearchCount'>>,
  current: string,
  isWide = false,
): string =>
  `<header class="fc-bar"${isWide ? ' data-wide' : ''}><div class="fc-bar-inner">` +
  `<a class="fc-brand" href="${BRANDS[session.brand].homeHref}">${escapeHtml(BRANDS[session.brand].name)}</a>` +
  '<nav class="fc-nav" aria-label="Site"><a href="/cars-for-sale/all-cars">Cars for Sale</a>' +
  '<a href="/cars-for-sale/new">New</a><a href="/cars-for-sale/used">Used</a>' +
  '<a href="/cars-for-sale/certified">Certified</a></nav>' +
  `<a class="fc-saved" href="/account/saved-vehicles">${HEART}<span class="fc-saved-name">Saved</span> <b>${savedCount(session)}</b></a>` +
  `${accountMenu(session, current)}</div></header>`;

/**
 * The columns in visual, reading and tab order. The HTML contains the results before
 * the long filter panel; a declarative shadow root orders them without scripts.
 */
const IN_COLUMNS: readonly string[] = ['toolbar', 'filters', 'map', 'results'];
const columnsOf = (style: string) =>
  `<div class="${style}"><template shadowrootmode="open">${IN_COLUMNS.map((slot) => `<slot name="${slot}"></slot>`).join('')}</template>`;

/** Markup between slots, by the slot that it precedes. */
const OPENS_BEFORE: Readonly<Record<string, string>> = {
  hero: '<div class="fc-hero">',
  showcase: '</div>',
  'model-reference': '</div>',
};

/** Markup before a slot of a layout; the columns begin with the toolbar, which stays in view beside them. */
const markupBefore = ({ slot }: SlotPlacement, layout: readonly SlotPlacement[]): string => {
  if (slot !== 'toolbar') return OPENS_BEFORE[slot] ?? '';
  return columnsOf(layout.some((other) => other.slot === 'map') ? 'fc-columns fc-mapped' : 'fc-columns');
};

/** The links at the end of every page, by path. */
const FOOTER_LINKS = [
  ['/help', 'Help'],
  ['/help#contact', 'Contact'],
  ['/help#privacy', 'Privacy'],
  ['/help#terms', 'Terms'],
] as const;

export const siteFooter = (brandName: string): string =>
  '<footer class="fc-footer"><div><nav aria-label="Help and legal">' +
  `${FOOTER_LINKS.map(([href, text]) => `<a href="${href}">${text}</a>`).join('')}</nav>` +
  `<p>${escapeHtml(brandName)} lists vehicles from dealers and private sellers. Sponsored listings are labeled.</p></div></footer>`;

const pageBottom = (brandName: string): string =>
  `</main>${siteFooter(brandName)}` +
  '<div id="fc-announcer" class="fc-announcer" role="status" aria-live="polite"></div>';

/**
 * The account menu at the end of the site's bar: links, a native popover and a
 * form, which work without JavaScript. `current` is the page's path and query, to
 * return to after signing in.
 */
export function accountMenu(
  { signedIn, account, signInPath }: Pick<SessionState, 'signedIn' | 'account' | 'signInPath'>,
  current: string,
): string {
  if (!signedIn)
    return `<a class="fc-account" id="fc-account" data-account="out" href="${escapeHtml(signInLink(signInPath, current))}">${PERSON}<span class="fc-account-name">Sign in</span></a>`;
  const name = escapeHtml(account?.firstName ?? 'Account');
  return (
    `<button class="fc-account" id="fc-account" data-account="in" type="button" popovertarget="fc-account-menu">${PERSON}` +
    `<span class="fc-account-name">${name}</span><span class="fc-unseen">, account menu</span></button>` +
    '<div class="fc-account-menu" id="fc-account-menu" popover><ul>' +
    '<li><a href="/account/saved-vehicles">Saved vehicles</a></li>' +
    '<li><a href="/account/saved-searches">Saved searches</a></li>' +
    '<li><a href="/account">Your account</a></li></ul>' +
    '<form method="post" action="/account/sign-out"><button type="submit">Sign out</button></form></div>'
  );
}

/** The marketplace's HTML around the slots. */
export const frame: Frame = {
  head: pageHead,
  top: pageTop,
  bottom: ({ brand }) => pageBottom(BRANDS[brand].name),
  before: markupBefore,
  isAssigned: (slot) => IN_COLUMNS.includes(slot),
};
