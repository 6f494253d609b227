import escapeHtml from 'escape-html';
import { BRANDS, type Brand } from '@forecourt/shared-contracts/brands';
import type { PageAsset, PageAssets } from './assets.ts';

export interface Page {
  readonly title: string;
  /** HTML of the card, heading included. */
  readonly body: string;
  /** A script of our own. */
  readonly script?: PageAsset;
}

/** What a page looks like, and where its shop is. */
export interface Look {
  readonly brand: Brand;
  /** Origin of the shop. */
  readonly shop: string;
  readonly assets: PageAssets;
}

/** The brand of a hint that anybody can write: one of the known, or the usual one. */
export const brandOf = (hint: unknown): Brand =>
  typeof hint === 'string' && Object.hasOwn(BRANDS, hint) ? BRANDS[hint as keyof typeof BRANDS] : BRANDS.atc;

/** A whole page: one card below the site's bar. It says who asks for what on every step. */
export const renderPage = ({ title, body, script }: Page, { brand, shop, assets }: Look): string =>
  `<!doctype html><html lang="en" data-brand="${brand.code}"><head><meta charset="utf-8">` +
  '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
  `<title>${escapeHtml(`${title} | ${brand.name}`)}</title><link rel="icon" href="data:,">` +
  `<link rel="stylesheet" href="${assets.style.url}" integrity="${assets.style.integrity}" crossorigin="anonymous">` +
  (script
    ? `<script defer src="${script.url}" integrity="${script.integrity}" crossorigin="anonymous"></script>`
    : '') +
  `</head><body><div class="id-page"><header class="id-bar"><a class="id-brand" href="${escapeHtml(shop)}/">${escapeHtml(brand.name)}</a></header>` +
  `<main class="id-main"><div class="id-card">${body}</div></main></div></body></html>`;

/** A page that says one thing and leads on. `text` is plain. */
export const messagePage = (title: string, text: string, link: { href: string; label: string }): Page => ({
  title,
  body:
    `<h1>${escapeHtml(title)}</h1><p class="id-lead">${escapeHtml(text)}</p>` +
    `<div class="id-actions"><a class="id-button" href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a></div>`,
});
