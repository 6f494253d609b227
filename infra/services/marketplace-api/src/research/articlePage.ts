import escapeHtml from 'escape-html';
import type { Article } from './expertReviews.ts';

/** No scripts, its own style, pictures of this server. */
export const ARTICLE_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/** An article as a page. */
export function articlePage(
  { title, excerpt, paragraphs, author, picture }: Article,
  siteUrl: string,
): string {
  const text = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} | Forecourt Values</title><meta name="description" content="${escapeHtml(excerpt)}">
<style>:root{color-scheme:light dark}body{font:1.0625rem/1.6 system-ui,sans-serif;max-inline-size:42rem;margin:2rem auto;padding-inline:1rem}
img{inline-size:100%;block-size:auto}.by{opacity:.75}</style></head>
<body><main><article><h1>${escapeHtml(title)}</h1><p class="by">By ${escapeHtml(author)}</p>
<img src="${escapeHtml(picture.src)}" alt="${escapeHtml(picture.alt)}" width="640" height="360">
${text}</article><p><a href="${escapeHtml(siteUrl)}/cars-for-sale/all-cars">See what is for sale</a></p></main></body></html>`;
}
