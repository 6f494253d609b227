import { BODY_STYLES, type BodyStyle } from '@forecourt/shared-contracts/entities/codes';
import { withThousands } from '@forecourt/shared-contracts/catalog';
import { findMakeByCode, findModelByCode, MAKES } from '../catalogue/catalogue.ts';
import { NEWEST_MODEL_YEAR } from '../catalogue/define.ts';
import type { CatalogueMake, CatalogueModel } from '../catalogue/types.ts';
import type { ListingIndex } from '../index/listingIndex.ts';
import { steadyPick } from '../research/steady.ts';

/** Whom an ad may address: values of the search, as the page names them (A1-ADS-01). */
export interface AdTargeting {
  readonly make?: string;
  readonly model?: string;
  readonly style?: string;
  readonly condition?: string;
  readonly zip?: string;
  readonly page?: string;
}

/** What an ad says, whatever its size. */
export interface Campaign {
  readonly advertiser: string;
  readonly headline: string;
  readonly text: string;
  readonly action: string;
  /** Path on the site. */
  readonly link: string;
  /** Degrees of the colour circle. */
  readonly hue: number;
}

const dollars = (amount: number) => `$${withThousands(amount)}`;
const inMarket = ({ zip }: AdTargeting) => (zip && /^\d{5}$/.test(zip) ? `&zip=${zip}&searchRadius=50` : '');
const isBuilt = (model: CatalogueModel) => model.lastYear >= NEWEST_MODEL_YEAR - 1;

/** A maker's ad for a new model, with what is for sale of it. */
function modelCampaign(
  make: CatalogueMake,
  model: CatalogueModel,
  targeting: AdTargeting,
  index: ListingIndex,
): Campaign {
  const price = Math.min(...model.trims.map(({ msrp }) => msrp));
  const query = {
    vehicle: { makes: [make.code], models: [model.code], trims: [] },
    facets: { listingType: ['NEW'] },
  };
  const count = index.count(query);
  return {
    advertiser: make.name,
    headline: `The new ${make.name} ${model.name}`,
    text:
      count > 0
        ? `From ${dollars(price)}. ${withThousands(count)} new ones for sale now.`
        : `From ${dollars(price)}.`,
    action: 'See them',
    link: `/cars-for-sale/all-cars?listingType=NEW&makeCode=${make.code}&modelCode=${model.code}${inMarket(targeting)}`,
    hue: Math.floor(steadyPick([200, 215, 230, 260, 340, 10, 150], make.code)),
  };
}

/** The site's own ads, for everybody. */
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
    text: 'Compare range and price of every electric vehicle.',
    action: 'See electric vehicles',
    link: `/cars-for-sale/all/electric?${inMarket(targeting).slice(1)}`.replace(/\?$/, ''),
    hue: 190,
  },
  {
    advertiser: 'Forecourt',
    headline: 'Buy from home',
    text: 'Pick, pay and have it brought to your door.',
    action: 'Buy online',
    link: `/cars-for-sale/all-cars?homeServices=BUY_ONLINE${inMarket(targeting)}`,
    hue: 28,
  },
];

/**
 * Ads that fit, the closest first: the searched model, others of the make or
 * body style, then the site's own. The `refresh`th one is shown, so that a
 * slot which is refreshed shows another one.
 */
export function chooseCampaign(
  slot: string,
  targeting: AdTargeting,
  refresh: number,
  index: ListingIndex,
): Campaign {
  const make = targeting.make && findMakeByCode(targeting.make.split(',')[0] ?? '');
  const model =
    make && targeting.model ? findModelByCode(make.code, targeting.model.split(',')[0] ?? '') : undefined;
  const style = targeting.style?.split(',')[0];
  const ofStyle = (candidate: CatalogueModel) =>
    !style || !Object.hasOwn(BODY_STYLES, style) || candidate.bodyStyle === (style as BodyStyle);
  const makes = make
    ? [make]
    : MAKES.filter(({ models }) => models.some((one) => isBuilt(one) && ofStyle(one)));
  const advertiser = make || (makes.length > 0 ? steadyPick(makes, slot, refresh) : undefined);
  const models = advertiser ? advertiser.models.filter((one) => isBuilt(one) && ofStyle(one)) : [];
  const closest = model && isBuilt(model) ? [model] : [];
  const others = models
    .filter((one) => one !== model)
    .sort((a, b) => b.yearlySales - a.yearlySales)
    .slice(0, 2);
  const paid = advertiser
    ? [...closest, ...others].map((one) => modelCampaign(advertiser, one, targeting, index))
    : [];
  const house = houseCampaigns(targeting);
  const all = paid.flatMap((campaign, position) => [campaign, ...(house[position] ? [house[position]] : [])]);
  const candidates = all.length > 0 ? all : house;
  const offset = all.length > 0 ? 0 : house.indexOf(steadyPick(house, slot));
  return candidates[(offset + refresh) % candidates.length]!;
}
