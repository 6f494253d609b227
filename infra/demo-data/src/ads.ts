import { formatNumber } from '@forecourt/search/format';
import { BODY_STYLES } from '@forecourt/upstream/codes';
import type { Ad, AdRequest, AdSource, AdTargeting } from '@forecourt/marketplace-api/ads';
import type { CatalogMake, CatalogModel } from '@forecourt/marketplace-api/catalog';
import { type BodyStyle } from '@forecourt/marketplace-api/stock';
import escapeHtml from 'escape-html';
import { catalog } from './catalog/catalog.ts';
import { NEWEST_MODEL_YEAR } from './catalog/define.ts';
import { steadyPick } from './inventory/random.ts';

type ListingCounter = Parameters<AdSource['choose']>[1];

/** Content of an ad, independent of its size. */
interface Campaign {
  readonly advertiser: string;
  readonly headline: string;
  readonly text: string;
  readonly action: string;
  /** Path on the site. */
  readonly link: string;
  /** Degrees of the color circle. */
  readonly hue: number;
}

const MAKER_HUES = [200, 215, 230, 260, 340, 10, 150];

const dollars = (amount: number) => `$${formatNumber(amount)}`;
const inMarket = ({ zip }: AdTargeting) => (zip && /^\d{5}$/.test(zip) ? `&zip=${zip}&searchRadius=50` : '');
const isBuilt = (model: CatalogModel) => model.lastYear >= NEWEST_MODEL_YEAR - 1;

/** A maker's ad for a new model, with the number for sale. */
async function modelCampaign(
  make: CatalogMake,
  model: CatalogModel,
  targeting: AdTargeting,
  index: ListingCounter,
): Promise<Campaign> {
  const price = Math.min(...model.trims.map(({ msrp }) => msrp));
  const count = await index.count({
    vehicle: { makes: [make.code], models: [model.code], trims: [] },
    facets: { listingType: ['NEW'] },
  });
  return {
    advertiser: make.name,
    headline: `The new ${make.name} ${model.name}`,
    text: `From ${dollars(price)}.${count > 0 ? ` ${formatNumber(count)} new ones for sale now.` : ''}`,
    action: 'See them',
    link: `/cars-for-sale/all-cars?listingType=NEW&makeCode=${make.code}&modelCode=${model.code}${inMarket(targeting)}`,
    hue: steadyPick(MAKER_HUES, make.code),
  };
}

/** The site's own ads. */
const houseCampaigns = (targeting: AdTargeting): Campaign[] => [
  {
    advertiser: 'Forecourt',
    headline: 'Great prices, found for you',
    text: 'Vehicles that cost less than others like them.',
    action: 'See the best deals',
    link: `/cars-for-sale/all-cars?dealType=greatprice,goodprice${inMarket(targeting)}`,
    hue: 152,
  },
  {
    advertiser: 'Forecourt',
    headline: 'Go electric',
    text: 'Compare the range and price of every electric vehicle.',
    action: 'See electric vehicles',
    link: `/cars-for-sale/all/electric?${inMarket(targeting).slice(1)}`.replace(/\?$/, ''),
    hue: 190,
  },
  {
    advertiser: 'Forecourt',
    headline: 'Buy from home',
    text: 'Pick a car, pay online and have it delivered to your door.',
    action: 'Buy online',
    link: `/cars-for-sale/all-cars?homeServices=BUY_ONLINE${inMarket(targeting)}`,
    hue: 28,
  },
];

/** Makers' ads that fit the search: the searched model first, then the make's best sellers. */
async function paidCampaigns(
  { slot, targeting, refresh }: AdRequest,
  index: ListingCounter,
): Promise<Campaign[]> {
  const make = targeting.make ? catalog.findMake(targeting.make.split(',')[0] ?? '') : undefined;
  const model =
    make && targeting.model ? catalog.findModel(make.code, targeting.model.split(',')[0] ?? '') : undefined;
  const style = targeting.style?.split(',')[0];
  const fits = (candidate: CatalogModel) =>
    isBuilt(candidate) &&
    (!style || !Object.hasOwn(BODY_STYLES, style) || candidate.bodyStyle === (style as BodyStyle));
  const makes = make ? [make] : catalog.makes.filter(({ models }) => models.some(fits));
  const advertiser = make ?? (makes.length > 0 ? steadyPick(makes, slot, refresh) : undefined);
  if (!advertiser) return [];
  const others = advertiser.models
    .filter((one) => fits(one) && one !== model)
    .sort((a, b) => b.yearlySales - a.yearlySales)
    .slice(0, 2);
  const closest = model && isBuilt(model) ? [model] : [];
  return await Promise.all(
    [...closest, ...others].map((one) => modelCampaign(advertiser, one, targeting, index)),
  );
}

/** Leaderboards that are in view together start with different ads. */
const placeOf = (slot: string): number =>
  Number(/^grid-row-(\d+)$/.exec(slot)?.[1] ?? (slot === 'footer' ? 3 : 0));

/** Paid ads alternate with house ads; each refresh of a slot shows the next one. */
async function chooseCampaign(request: AdRequest, index: ListingCounter): Promise<Campaign> {
  const house = houseCampaigns(request.targeting);
  const paid = await paidCampaigns(request, index);
  const all = paid.flatMap((campaign, position) => [campaign, ...(house[position] ? [house[position]] : [])]);
  const candidates = all.length > 0 ? all : house;
  const offset = all.length > 0 ? placeOf(request.slot) : house.indexOf(steadyPick(house, request.slot));
  return candidates[(offset + request.refresh) % candidates.length]!;
}

/** px below which an ad is one row. */
const FLAT_HEIGHT = 120;
const NARROW_WIDTH = 400;

/** A complete document without scripts that fills its frame. */
function creativeHtml(campaign: Campaign, { width, height }: AdRequest['size']): string {
  const isFlat = height < FLAT_HEIGHT;
  const isTiny = isFlat && width < NARROW_WIDTH;
  const { advertiser, headline, text, action, link, hue } = campaign;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Advertisement: ${escapeHtml(headline)}</title>
<style>*{box-sizing:border-box}body{margin:0}a{display:flex;flex-direction:${isFlat ? 'row' : 'column'};align-items:center;justify-content:${isFlat ? 'space-between' : 'center'};gap:${isFlat ? '12px' : '10px'};inline-size:100%;block-size:100vh;min-block-size:${height}px;padding:${isFlat ? '4px 14px' : '16px'};font:${isTiny ? 13 : 15}px/1.25 system-ui,sans-serif;color:#fff;text-decoration:none;background:linear-gradient(120deg,hsl(${hue} 55% 22%),hsl(${hue} 60% 34%));text-align:${isFlat ? 'start' : 'center'};overflow:hidden}
strong{display:block;font-size:${isFlat ? 1.1 : 1.5}em}p{margin:0}.by{font-size:11px;opacity:.85}.do{flex:none;padding:8px 14px;border-radius:999px;background:#fff;color:hsl(${hue} 60% 22%);font-weight:600}a:focus-visible{outline:3px solid #fff;outline-offset:-5px}${isTiny ? '.text{display:none}' : ''}</style></head>
<body><a href="${escapeHtml(link)}" target="_blank" rel="noopener"><p><span class="by">Ad · ${escapeHtml(advertiser)}</span><strong>${escapeHtml(headline)}</strong><span class="text">${escapeHtml(text)}</span></p><span class="do">${escapeHtml(action)}</span></a></body></html>`;
}

/** Ads that fit the search; there is always one. */
export const ads: AdSource = {
  async choose(request, index): Promise<Ad> {
    const campaign = await chooseCampaign(request, index);
    return { advertiser: campaign.advertiser, html: creativeHtml(campaign, request.size) };
  },
};
