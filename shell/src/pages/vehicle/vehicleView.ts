import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { LISTING_TYPE_LABELS } from '@forecourt/shared-contracts/entities/codes';
import { isGoodPriceDeal, formatDollars, formatNumber, formatPrice } from '@forecourt/shared-contracts/rules';
import { escapeHtml } from '../../page/html.ts';
import type { PaymentChoice } from '../payment.ts';
import { paymentForm, paymentWords } from '../paymentForm.ts';
import { vehicleCard } from '../vehicleCard.ts';
import { factsOf, placeOf, telUrl, webUrl } from '../vehicleWords.ts';
import { SEARCH_PARAM } from './backLink.ts';
import type { MarketPosition } from './market.ts';

export interface VehicleView {
  readonly listing: Listing;
  readonly owner: Owner;
  readonly similar: { readonly listings: readonly Listing[]; readonly owners: readonly Owner[] };
  readonly market: MarketPosition | undefined;
  /** Words for a feature's code. */
  readonly featureName: (code: string) => string;
  /** Missing without a price. */
  readonly payment: PaymentChoice | undefined;
  /** Where 'Back to results' leads; undefined when nobody knows the search. */
  readonly backTo: string | undefined;
  readonly path: string;
  /** All vehicles of its model. */
  readonly modelUrl: string;
  readonly offers: { readonly save: boolean; readonly report: boolean; readonly share: boolean };
}

const icons = {
  heart:
    '<path d="M12 20s-7-4.4-9-8.6C1.4 8 3.2 4.5 6.6 4.5c2.2 0 3.8 1.2 5.4 3.2 1.6-2 3.2-3.2 5.4-3.2 3.4 0 5.2 3.5 3.6 6.9C19 15.6 12 20 12 20z"></path>',
  share: '<path d="M12 15V3m0 0L7 8m5-5 5 5M5 13v7h14v-7"></path>',
  flag: '<path d="M5 21V4h12l-2 4 2 4H5"></path>',
  turn: '<path d="M10 15.8C5.900 15.400 3 13.900 3 12c0-2.300 4-4 9-4s9 1.700 9 4c0 1.700-2.300 3.100-5.600 3.700M12 13l-2.200 2.800 2.800 2.400"></path>',
  phone:
    '<path d="M5 3h4l2 5-2.5 1.5a12 12 0 0 0 6 6L16 13l5 2v4c0 1-1 2-2 2C10.500 21 3 13.500 3 5c0-1 1-2 2-2z"></path>',
};
const icon = (name: keyof typeof icons) =>
  `<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" stroke-linecap="round">${icons[name]}</svg>`;

/** A button that puts an intent on the page's bus; who answers it is another remote's business. */
const intent = (type: string, payload: object, look: string, content: string, attributes = ''): string =>
  `<button type="button" class="${look} fp-scripted" data-intent="${type}" data-payload="${escapeHtml(JSON.stringify(payload))}"${attributes}>${content}</button>`;

function gallery({ id, title, images, fyuseId }: Listing): string {
  const { sources } = images;
  if (sources.length === 0)
    return '<div class="fp-gallery fp-gallery-none"><p>The seller has not added pictures yet.</p></div>';
  const pictures = sources
    .map(
      ({ src, alt }, at) =>
        `<li id="picture-${at + 1}"><img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}" width="960" height="720"${at === 0 ? ' fetchpriority="high"' : ' loading="lazy" decoding="async"'}></li>`,
    )
    .join('');
  const thumbs = sources
    .map(
      ({ src }, at) =>
        `<li><a href="#picture-${at + 1}" aria-label="Picture ${at + 1} of ${sources.length}"${at === 0 ? ' aria-current="true"' : ''}><img src="${escapeHtml(src)}" alt="" width="96" height="72" loading="lazy" decoding="async"></a></li>`,
    )
    .join('');
  const step = (direction: number, label: string, sign: string) =>
    `<button type="button" class="fp-gallery-step fp-scripted" data-step="${direction}" aria-label="${label}"${direction < 0 ? ' disabled' : ''}>${sign}</button>`;
  return (
    `<section class="fp-gallery" data-gallery aria-label="Pictures of the ${escapeHtml(title)}">` +
    `<div class="fp-gallery-stage"><ul class="fp-gallery-pictures" tabindex="0" aria-label="Pictures, scroll sideways">${pictures}</ul>` +
    (sources.length > 1 ? step(-1, 'Picture before', '‹') + step(1, 'Next picture', '›') : '') +
    (fyuseId
      ? intent(
          'listing.spinRequested',
          { listingId: id, title },
          'fp-gallery-turn',
          `${icon('turn')} 360° view`,
          ' aria-haspopup="dialog"',
        )
      : '') +
    `<p class="fp-gallery-count" aria-hidden="true"><span data-picture>1</span> / ${sources.length}</p></div>` +
    (sources.length > 1 ? `<ol class="fp-gallery-thumbs">${thumbs}</ol>` : '') +
    '</section>'
  );
}

function priceLines({ listing, payment }: VehicleView): string {
  const { pricingDetail, isReducedPrice } = listing;
  const { derivedPrice, previousPrice, dealIndicator, msrp } = pricingDetail;
  const isReduced =
    isReducedPrice &&
    derivedPrice !== undefined &&
    previousPrice !== undefined &&
    previousPrice > derivedPrice;
  const isBelowMsrp =
    listing.listingType === 'NEW' && msrp !== undefined && derivedPrice !== undefined && msrp > derivedPrice;
  return (
    `<p class="fp-price">${formatPrice(derivedPrice)}` +
    (isReduced ? ` <s><span class="fc-unseen">Price before </span>${formatDollars(previousPrice)}</s>` : '') +
    '</p>' +
    (isGoodPriceDeal(dealIndicator) ? `<p><span class="fp-badge">${dealIndicator} Price</span></p>` : '') +
    (isReduced
      ? `<p class="fp-quiet">${formatDollars(previousPrice - derivedPrice)} less than before</p>`
      : '') +
    (isBelowMsrp ? `<p class="fp-quiet">MSRP ${formatDollars(msrp)}</p>` : '') +
    (payment && derivedPrice !== undefined
      ? `<p class="fp-quiet"><a href="#payment">Est. ${paymentWords(derivedPrice, payment).monthly} a month</a></p>`
      : '')
  );
}

/** The ways to the seller, the seller's preferred one first (AMB-122). Links work without a script. */
function contact({ listing, owner }: VehicleView): string {
  const { id } = listing;
  const phone = listing.phone ?? owner.phone?.value;
  const website = webUrl(owner.website?.href ?? listing.website?.href);
  const look = (isFirst: boolean) => (isFirst ? 'fc-action' : 'fc-action-quiet');
  const ways = {
    offer: (first: boolean) =>
      owner.privateSeller
        ? intent('lead.requested', { listingId: id, kind: 'offer' }, look(first), 'Make Offer')
        : '',
    email: (first: boolean) =>
      owner.privateSeller || owner.hideEmailForm
        ? ''
        : intent('lead.requested', { listingId: id, kind: 'email' }, look(first), 'Email Seller'),
    phone: (first: boolean) =>
      phone
        ? `<a class="${look(first)}" href="${telUrl(phone)}">${icon('phone')} Call ${escapeHtml(phone)}</a>`
        : '',
    website: (first: boolean) =>
      website
        ? `<a class="${look(first)}" href="${escapeHtml(website)}" target="_blank" rel="noopener noreferrer">Visit website</a>`
        : '',
  };
  const preferred = owner.privateSeller ? 'offer' : owner.dealerPreferredCTA;
  const order = [...new Set([preferred, 'offer', 'email', 'phone', 'website'] as const)];
  let isFirst = true;
  const html = order.map((way) => {
    const text = ways[way](isFirst);
    if (text) isFirst = false;
    return text;
  });
  return `<div class="fp-contact">${html.join('')}</div>`;
}

function quickActions({ listing, offers }: VehicleView): string {
  const { id } = listing;
  return (
    '<div class="fp-quick">' +
    (offers.save
      ? intent(
          'listing.saveRequested',
          { listingId: id },
          'fp-quick-action',
          `${icon('heart')} <span>Save</span>`,
          ` data-saves="${escapeHtml(id)}" aria-pressed="false"`,
        )
      : '') +
    (offers.share
      ? intent('listing.shareRequested', { listingId: id }, 'fp-quick-action', `${icon('share')} Share`)
      : '') +
    (offers.report
      ? intent('listing.reportRequested', { listingId: id }, 'fp-quick-action', `${icon('flag')} Report`)
      : '') +
    '</div>'
  );
}

function seller({ owner, modelUrl, listing }: VehicleView): string {
  const { rating } = owner;
  const { address1, zip } = owner.location?.address ?? {};
  const lines = [address1, [placeOf(owner), zip].filter(Boolean).join(' ')].filter(Boolean);
  return (
    '<section class="fp-panel" aria-labelledby="seller-title"><h2 id="seller-title">Seller</h2>' +
    `<p class="fp-strong">${escapeHtml(owner.ownerName)}</p>` +
    (rating
      ? `<p>${rating.value.toFixed(1)} of 5 stars <span class="fp-quiet">(${formatNumber(rating.count)} ${rating.count === 1 ? 'review' : 'reviews'})</span></p>`
      : '') +
    `<p class="fp-quiet">${lines.map((line) => escapeHtml(line ?? '')).join('<br>')}</p>` +
    (owner.shippingLabel ? `<p>${escapeHtml(owner.shippingLabel)}</p>` : '') +
    `<p><a href="${escapeHtml(modelUrl)}">See every ${escapeHtml(`${listing.make.name} ${listing.model.name}`)} for sale</a></p></section>`
  );
}

function market({ listing, market: position }: VehicleView): string {
  const { daysListed, viewCount } = listing;
  const facts = [
    daysListed === undefined
      ? undefined
      : daysListed === 0
        ? 'Listed today'
        : `Listed ${formatNumber(daysListed)} ${daysListed === 1 ? 'day' : 'days'} ago`,
    viewCount > 0 ? `${formatNumber(viewCount)} ${viewCount === 1 ? 'view' : 'views'} this week` : undefined,
  ].filter((fact) => fact !== undefined);
  if (!position && facts.length === 0) return '';
  return (
    '<section class="fp-panel" aria-labelledby="market-title"><h2 id="market-title">Price on the market</h2>' +
    (position ? marketChart(position, listing) : '') +
    (facts.length > 0 ? `<p class="fp-quiet">${facts.join(' · ')}</p>` : '') +
    '</section>'
  );
}

/** Bars of comparable listings by price; words say the same to who cannot see them. */
function marketChart(
  { total, dearerPercent, min, max, bars, own }: MarketPosition,
  { model }: Listing,
): string {
  const most = Math.max(...bars, 1);
  const width = 100 / bars.length;
  const columns = bars
    .map((count, at) => {
      const height = count === 0 ? 0 : Math.max(2, (count / most) * 40);
      return `<rect x="${(at * width + width * 0.1).toFixed(2)}" y="${(40 - height).toFixed(2)}" width="${(width * 0.8).toFixed(2)}" height="${height.toFixed(2)}"${at === own ? ' class="is-own"' : ''}></rect>`;
    })
    .join('');
  return (
    `<p>Costs less than about <strong>${dearerPercent} %</strong> of ${formatNumber(total)} comparable ${escapeHtml(model.name)} listings.</p>` +
    `<svg class="fp-market" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label="Comparable listings from ${formatDollars(min)} to ${formatDollars(max)}, this one marked">${columns}</svg>` +
    `<p class="fp-market-scale" aria-hidden="true"><span>${formatDollars(min)}</span><span>${formatDollars(max)}</span></p>`
  );
}

/** The body of a vehicle's page. */
export function vehicleView(view: VehicleView): string {
  const { listing, owner, similar, payment, backTo, path } = view;
  const { title, listingType, features, pricingDetail } = listing;
  const facts = factsOf(listing)
    .map(([name, value]) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`)
    .join('');
  const owners = new Map(similar.owners.map((each) => [each.id, each]));
  const carried: Record<string, string> = backTo ? { [SEARCH_PARAM]: backTo } : {};
  const kept = Object.entries(carried);
  return (
    `<nav class="fp-back" aria-label="Back"><a href="${escapeHtml(backTo ?? view.modelUrl)}">‹ ${backTo ? 'Back to results' : `All ${escapeHtml(`${listing.make.name} ${listing.model.name}`)} for sale`}</a></nav>` +
    `<article class="fp-vehicle">${gallery(listing)}<div class="fp-panel fp-vehicle-head">` +
    `<p class="fp-quiet">${LISTING_TYPE_LABELS[listingType]}${placeOf(owner) ? ` · ${escapeHtml(placeOf(owner) ?? '')}` : ''}</p>` +
    `<h1>${escapeHtml(title)}</h1>${priceLines(view)}${contact(view)}${quickActions(view)}</div>` +
    '<div class="fp-vehicle-details">' +
    `<section class="fp-panel" aria-labelledby="facts-title"><h2 id="facts-title">Facts</h2><dl class="fp-facts">${facts}</dl></section>` +
    (features.length > 0
      ? `<section class="fp-panel" aria-labelledby="features-title"><h2 id="features-title">Features</h2><ul class="fp-features">${features.map((feature) => `<li>${escapeHtml(view.featureName(feature))}</li>`).join('')}</ul></section>`
      : '') +
    `${market(view)}</div><div class="fp-vehicle-side">${seller(view)}` +
    (payment && pricingDetail.derivedPrice !== undefined
      ? `<section class="fp-panel" id="payment" aria-labelledby="payment-title"><h2 id="payment-title">Payment</h2>${paymentForm(pricingDetail.derivedPrice, payment, path, kept)}</section>`
      : '') +
    '</div></article>' +
    (similar.listings.length > 0
      ? `<section class="fp-similar" aria-labelledby="similar-title"><h2 id="similar-title">Similar vehicles</h2><ul class="fp-cards">${similar.listings.map((each) => vehicleCard(each, owners.get(each.ownerId), 'similar', carried)).join('')}</ul></section>`
      : '')
  );
}
