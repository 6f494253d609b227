import escapeHtml from 'escape-html';
import type { Campaign } from './campaigns.ts';

/** Sizes in px that an ad can be had in. */
export const AD_SIZES = [
  '320x50',
  '300x250',
  '300x600',
  '728x90',
  '970x90',
  '970x250',
  '640x480',
  // Leaderboards fill the height that is reserved for them (B9-HEIGHT-02, B9-HEIGHT-03).
  '320x100',
  '728x167',
  '970x222',
  '320x367',
  '728x367',
  '970x499',
] as const;
export type AdSize = (typeof AD_SIZES)[number];

export const dimensionsOf = (size: AdSize): { width: number; height: number } => {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { width, height };
};

/**
 * What a creative may do, whatever frame it stands in: open its page on a
 * click, and nothing else. No scripts, no requests.
 */
export const CREATIVE_CSP =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** A creative as a document of its own, without scripts, that fills its frame. */
export function creativeHtml(campaign: Campaign, size: AdSize): string {
  const { width, height } = dimensionsOf(size);
  const isFlat = height < 120;
  const { advertiser, headline, text, action, link, hue } = campaign;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Advertisement: ${escapeHtml(headline)}</title>
<style>*{box-sizing:border-box}body{margin:0}a{display:flex;flex-direction:${isFlat ? 'row' : 'column'};align-items:center;justify-content:${isFlat ? 'space-between' : 'center'};gap:${isFlat ? '12px' : '10px'};inline-size:100%;block-size:100vh;min-block-size:${height}px;padding:${isFlat ? '4px 14px' : '16px'};font:${width < 400 && isFlat ? 13 : 15}px/1.25 system-ui,sans-serif;color:#fff;text-decoration:none;background:linear-gradient(120deg,hsl(${hue} 55% 22%),hsl(${hue} 60% 34%));text-align:${isFlat ? 'start' : 'center'};overflow:hidden}
strong{display:block;font-size:${isFlat ? 1.1 : 1.5}em}p{margin:0}.by{font-size:11px;opacity:.85}.do{flex:none;padding:8px 14px;border-radius:999px;background:#fff;color:hsl(${hue} 60% 22%);font-weight:600}a:focus-visible{outline:3px solid #fff;outline-offset:-5px}${width < 400 && isFlat ? '.text{display:none}' : ''}</style></head>
<body><a href="${escapeHtml(link)}" target="_blank" rel="noopener"><p><span class="by">Ad · ${escapeHtml(advertiser)}</span><strong>${escapeHtml(headline)}</strong><span class="text">${escapeHtml(text)}</span></p><span class="do">${escapeHtml(action)}</span></a></body></html>`;
}
