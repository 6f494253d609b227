import { cardOf, FILTERS, MAX_OPTIONS } from './cards.mjs';
import { findListings, serve } from './listings.mjs';

// The floor: the same listings and filters as HTML written by hand, without components, hydration or scripts.

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text) => String(text).replace(/[&<>"]/g, (character) => ESCAPES[character]);

const card = (hit) => `<article>
<img src="${escape(hit.picture.src)}" alt="${escape(hit.picture.alt)}" width="640" height="480" loading="lazy">
<p>${escape(hit.type)}${hit.deal ? ` <b>${escape(hit.deal)}</b>` : ''}</p>
<h3><a href="${escape(hit.url)}">${escape(hit.title)}</a></h3>
<p><strong>${hit.price}</strong></p>
<p>${hit.facts.map(escape).join(' · ')}</p>
<p>${escape(hit.seller)}${hit.rating ? ` ${hit.rating.value} (${hit.rating.count})` : ''}</p>
<p>${hit.distance ?? 0} mi away · ${escape(hit.place ?? '')}</p>
<a href="tel:${escape(hit.phone)}">Call Seller</a>
</article>`;

const filter = ({ name, label, options }) => `<fieldset><legend>${escape(label)}</legend>
${options
  .slice(0, MAX_OPTIONS)
  .map(
    (option) =>
      `<label><input type="checkbox" name="${name}" value="${escape(option.value)}"${option.selected ? ' checked' : ''}>${escape(option.label)} <span>${option.count}</span></label>`,
  )
  .join('\n')}
</fieldset>`;

/** Hidden fields keep the part of the search that no shown filter has. */
const kept = (query) =>
  [...new URLSearchParams(query)]
    .filter(([name]) => !FILTERS.includes(name))
    .map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`)
    .join('');

async function render(query) {
  const { listings, owners, totalResultCount, filters } = await findListings(query);
  const byId = new Map(owners.map((owner) => [owner.id, owner]));
  const shown = FILTERS.flatMap((name) => filters.find((each) => each.name === name) ?? []);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Cars for sale</title></head><body>
<form>${kept(query)}${shown.map(filter).join('\n')}<button>Search</button></form>
<main><h1>${totalResultCount} Matches</h1>
${listings.map((listing) => card(cardOf(listing, byId))).join('\n')}
</main></body></html>`;
}

serve({ render });
