import escapeHtml from 'escape-html';
import type { Brand } from '@forecourt/search/brands';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';

export interface Page {
  readonly title: string;
  /** HTML of the card, heading included. */
  readonly body: string;
  readonly script?: PageAsset;
}

/** Brand, shop and assets of a page. */
export interface PageTheme {
  readonly brand: Brand;
  /** Origin of the shop. */
  readonly shop: string;
  readonly assets: PageAssets;
}

/** A complete page: one card below the site's bar, which names the brand on every step. */
export const renderPage = ({ title, body, script }: Page, { brand, shop, assets }: PageTheme): string =>
  `<!doctype html><html lang="en" data-brand="${brand.code}"><head><meta charset="utf-8">` +
  '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
  `<title>${escapeHtml(`${title} | ${brand.name}`)}</title><link rel="icon" href="data:,">` +
  `<link rel="stylesheet" href="${assets.style.url}" integrity="${assets.style.integrity}" crossorigin="anonymous">` +
  (script
    ? `<script defer src="${script.url}" integrity="${script.integrity}" crossorigin="anonymous"></script>`
    : '') +
  `</head><body><div class="id-page"><header class="id-bar"><a class="id-brand" href="${escapeHtml(shop)}/">${escapeHtml(brand.name)}</a></header>` +
  `<main class="id-main"><div class="id-card">${body}</div></main></div></body></html>`;

/** A page with a plain-text message and one link. */
export const messagePage = (title: string, text: string, link: { href: string; label: string }): Page => ({
  title,
  body:
    `<h1>${escapeHtml(title)}</h1><p class="id-lead">${escapeHtml(text)}</p>` +
    `<div class="id-actions"><a class="id-button" href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a></div>`,
});

export interface Site {
  /** Origin of the default shop. */
  readonly shop: string;
  readonly assets: PageAssets;
}

export interface PageAsset {
  readonly url: string;
  /** Subresource Integrity. */
  readonly integrity: string;
}

export interface PageAssets {
  readonly style: PageAsset;
  readonly signOutScript: PageAsset;
  readonly routes: Router;
}

const read = (url: string | URL) => readFileSync(fileURLToPath(url), 'utf8');

const fileOf = (name: string, type: string, text: string) => ({
  type,
  text,
  integrity: `sha384-${createHash('sha384').update(text).digest('base64')}`,
  url: `/assets/${createHash('sha256').update(text).digest('hex').slice(0, 12)}/${name}`,
});

/** Static files of the pages. URLs contain a content hash, so they can be cached forever. */
export function createPageAssets(): PageAssets {
  const tokens = read(import.meta.resolve('@forecourt/slots/ui/tokens.css'));
  const style = fileOf('page.css', 'text/css', tokens + read(new URL('./page.css', import.meta.url)));
  const signOutScript = fileOf(
    'signOut.js',
    'text/javascript',
    read(new URL('./signOut.js', import.meta.url)),
  );
  const routes = Router();
  for (const { url, type, text } of [style, signOutScript])
    routes.get(url, (_, response) => {
      response.set('Cache-Control', 'public, max-age=31536000, immutable').type(type).send(text);
    });
  return { style, signOutScript, routes };
}
