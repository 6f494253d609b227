import escapeHtml from 'escape-html';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DealerDiff } from '@forecourt/shared-contracts/entities';
import { withThousands } from '@forecourt/shared-contracts/catalog';
import type { StockOwner } from '../domain/stock.ts';
import { logoPath } from '../pictures/badges.ts';
import { sanitise } from './sanitise.ts';

const SERVICES: Readonly<Record<string, string>> = {
  BUY_ONLINE: 'Buy online, from the first look to the signature',
  HOME_DELIVERY: 'We bring the vehicle to your door',
  TEST_DRIVE: 'Test drives at your home or work',
  VIRTUAL_WALKAROUND: 'A live video tour of any vehicle',
};

/** What a dealer says of itself, made of what is known of it. */
function ownWords(owner: StockOwner): string {
  const { tagline = '', rating, city, state, homeServices, phone } = owner;
  const services = homeServices.flatMap((code) => SERVICES[code] ?? []);
  const stars = rating && `${rating.value.toFixed(1)} of 5 in ${withThousands(rating.count)} reviews`;
  return [
    `<h3>${escapeHtml(tagline)}</h3>`,
    `<p>You find us in ${escapeHtml(city)}, ${escapeHtml(state)}.${stars ? ` Our customers rate us ${stars}.` : ''}</p>`,
    services.length > 0 ? `<ul>${services.map((line) => `<li>${line}</li>`).join('')}</ul>` : '',
    phone
      ? `<p>Questions? <a href="tel:${escapeHtml(phone.replace(/[^\d+]/g, ''))}">${escapeHtml(phone)}</a></p>`
      : '',
  ].join('');
}

/** Call to action and logo (B3-OWNER-02); undefined for a seller without such content. */
export function dealerDiffOf(owner: StockOwner): DealerDiff | undefined {
  if (owner.tagline === undefined) return undefined;
  return {
    cta: owner.website
      ? { label: `Visit ${owner.name}`, offsite: true, link: owner.website }
      : {
          label: `See the vehicles of ${owner.name}`,
          offsite: false,
          link: `/cars-for-sale/all-cars?isSponsorship=true&showcaseOwnerId=${encodeURIComponent(owner.id)}`,
        },
    logo: logoPath(owner.name) ?? '',
  };
}

/**
 * The HTML beside it: the dealer's own file `{folder}/{id}.html`, where there
 * is one, else words made of what is known. Sanitised in either case.
 */
export async function dealerDiffHtml(
  owner: StockOwner,
  folder: string | undefined,
): Promise<string | undefined> {
  if (owner.tagline === undefined) return undefined;
  return sanitise((folder && (await ownFile(folder, owner.id))) ?? ownWords(owner));
}

async function ownFile(folder: string, id: string): Promise<string | undefined> {
  if (!/^[\w-]{1,64}$/.test(id)) return undefined;
  try {
    return await readFile(join(folder, `${id}.html`), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
