import { cellText } from './cellText.ts';
import { ENTRY_BREAK } from './readFields.ts';

/** Most photos of a listing. */
const MAX_PHOTOS = 40;
const MAX_URL_LENGTH = 2_000;

/** A separator counts only before the next address: addresses themselves may contain it. */
const BETWEEN = /[|;,\s]+(?=(?:https?:)?\/\/)/i;
const AROUND = /^[|;,\s"'[\]]+|[|;,\s"'[\]]+$/g;

/** The texts in a value of JSON; undefined if it isn't JSON. */
function jsonTexts(text: string): readonly string[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return textsIn(value);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  // Of an object, such as {"url": "…", "caption": "…"}, what looks like an address.
  const texts = Object.values(value).flatMap(textsIn);
  return Array.isArray(value) ? texts : texts.filter((text) => /^(?:https?:)?\/\//i.test(text));
}

function entriesOf(text: string): readonly string[] {
  const bare = text.trim();
  const fromJson = /^[[{]/.test(bare) ? jsonTexts(bare) : undefined;
  if (fromJson) return fromJson.map((entry) => cellText(entry));
  return cellText(bare.replaceAll('\\/', '/'))
    .split(BETWEEN)
    .map((entry) => entry.replace(AROUND, ''))
    .filter(Boolean);
}

function hrefOf(entry: string): string | undefined {
  const url =
    entry.length > MAX_URL_LENGTH ? null : URL.parse(entry.startsWith('//') ? `https:${entry}` : entry);
  return url && /^https?:$/.test(url.protocol) && url.hostname.includes('.') ? url.href : undefined;
}

/** Addresses of photos, each once, and how many entries are none. */
export interface PhotoUrls {
  readonly urls: readonly string[];
  readonly unreadable: readonly string[];
  /** Beyond the most that a listing has. */
  readonly beyond: number;
}

/**
 * The http(s) addresses in the entries of a list (one a line), or in a text: an array of JSON, or addresses separated by
 * '|', ';', ',' or white space.
 */
export function parsePhotoUrls(text: string): PhotoUrls {
  const urls = new Set<string>();
  const unreadable: string[] = [];
  for (const entry of text.split(ENTRY_BREAK).flatMap(entriesOf)) {
    const href = hrefOf(entry);
    if (href === undefined) unreadable.push(entry);
    else urls.add(href);
  }
  const all = [...urls];
  return { urls: all.slice(0, MAX_PHOTOS), unreadable, beyond: Math.max(0, all.length - MAX_PHOTOS) };
}
