import type { PageAsset, PageAssets } from './assets.ts';
import { escapeHtml } from './html.ts';

export interface Page {
  readonly title: string;
  /** HTML of the card, heading included. */
  readonly body: string;
  /** A script of our own. */
  readonly script?: PageAsset;
}

export interface Site {
  readonly name: string;
  /** Where the shop is. */
  readonly origin: string;
  readonly assets: PageAssets;
}

/** A whole page: one card below the site's bar. It says who asks for what on every step. */
export const renderPage = ({ title, body, script }: Page, { name, origin, assets }: Site): string =>
  '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
  '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
  `<title>${escapeHtml(`${title} | ${name}`)}</title><link rel="icon" href="data:,">` +
  `<link rel="stylesheet" href="${assets.style.url}" integrity="${assets.style.integrity}" crossorigin="anonymous">` +
  (script
    ? `<script defer src="${script.url}" integrity="${script.integrity}" crossorigin="anonymous"></script>`
    : '') +
  `</head><body><div class="id-page"><header class="id-bar"><a class="id-brand" href="${escapeHtml(origin)}/">${escapeHtml(name)}</a></header>` +
  `<main class="id-main"><div class="id-card">${body}</div></main></div></body></html>`;

/** A page that says one thing and leads on. `text` is plain. */
export const messagePage = (title: string, text: string, link: { href: string; label: string }): Page => ({
  title,
  body:
    `<h1>${escapeHtml(title)}</h1><p class="id-lead">${escapeHtml(text)}</p>` +
    `<div class="id-actions"><a class="id-button" href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a></div>`,
});
