import { formatNumber } from '@forecourt/search/format';
import escapeHtml from 'escape-html';
import type { DealerDiff } from '../../domain/callTypes.ts';
import type { StockOwner } from '../../domain/stock.ts';
import type { DealerPages } from './dealerPages.ts';
import type { PictureSource } from './pictureRoutes.ts';
import { sanitizeHtml } from '@forecourt/upstream/richText';

const SERVICES: Readonly<Record<string, string>> = {
  BUY_ONLINE: 'Buy online, from first look to signature',
  HOME_DELIVERY: 'Delivery to your door',
  TEST_DRIVE: 'Test drives at your home or work',
  VIRTUAL_WALKAROUND: 'Live video tours of any vehicle',
};

/** A short profile for dealers without HTML of their own. */
function defaultHtml(owner: StockOwner): string {
  const { tagline = '', rating, city, state, homeServices, phone } = owner;
  const services = homeServices.flatMap((code) => SERVICES[code] ?? []);
  const stars = rating && `${rating.value.toFixed(1)} out of 5 in ${formatNumber(rating.count)} reviews`;
  return [
    `<h3>${escapeHtml(tagline)}</h3>`,
    `<p>Find us in ${escapeHtml(city)}, ${escapeHtml(state)}.${stars ? ` Our customers rate us ${stars}.` : ''}</p>`,
    services.length > 0 ? `<ul>${services.map((line) => `<li>${line}</li>`).join('')}</ul>` : '',
    phone
      ? `<p>Questions? Call <a href="tel:${escapeHtml(phone.replace(/[^\d+]/g, ''))}">${escapeHtml(phone)}</a>.</p>`
      : '',
  ].join('');
}

/** Call to action and logo; undefined for a seller without such content. */
export function dealerDiffOf(owner: StockOwner, pictures: PictureSource): DealerDiff | undefined {
  if (owner.tagline === undefined) return undefined;
  return {
    cta: owner.website
      ? { label: `Visit ${owner.name}`, offsite: true, link: owner.website }
      : {
          label: `See all vehicles from ${owner.name}`,
          offsite: false,
          link: `/cars-for-sale/all-cars?isSponsorship=true&showcaseOwnerId=${encodeURIComponent(owner.id)}`,
        },
    logo: pictures.logo(owner.name) ?? '',
  };
}

/** The dealer's own page if there is one, else a default text. Always sanitized. */
export async function dealerDiffHtml(owner: StockOwner, pages: DealerPages): Promise<string | undefined> {
  if (owner.tagline === undefined) return undefined;
  return sanitizeHtml((await pages.read(owner.id)) ?? defaultHtml(owner));
}
