import { defaultTreeAdapter, type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import {
  RICH_TEXT_TAGS,
  type RichText,
  type RichTextAttributes,
  type RichTextNode,
  type RichTextTag,
} from './richText.ts';

/** Characters of HTML. */
const MAX_LENGTH = 200_000;
/** A parser opens formatting elements again in each later block: 0.4 MB can become 1.6 million elements. */
const MAX_ELEMENTS = 5_000;
/** Deeper elements are left out; their text stays. */
const MAX_DEPTH = 20;

/** Equal elements; headings move below the heading of the dialog. */
const ALIASES: Readonly<Record<string, RichTextTag>> = { h1: 'h3', h2: 'h3', h5: 'h4', h6: 'h4' };

/** Elements that are dropped with their content, which is no text or not for people. */
const DROPPED_TAGS = new Set([
  ...['script', 'style', 'template', 'iframe', 'object', 'embed', 'noscript', 'noembed', 'noframes', 'title'],
  ...['svg', 'math', 'textarea', 'select', 'option', 'xmp', 'plaintext', 'audio', 'video', 'canvas'],
]);

const isTag = (name: string): name is RichTextTag => (RICH_TEXT_TAGS as readonly string[]).includes(name);
const tagOf = (name: string): RichTextTag | undefined =>
  isTag(name) ? name : Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;

/** Any page; a path that leaves it is no path of the site. */
const SITE = 'https://site.invalid';

/** The address as browsers read it: without line breaks and tabs, which hide `javascript:`. */
function addressOf(value: string): URL | undefined {
  try {
    return new URL(value, SITE);
  } catch {
    return undefined;
  }
}
const isPath = (url: URL, value: string): boolean => url.origin === SITE && value.trim().startsWith('/');

function hrefOf(value: string): string | undefined {
  const url = addressOf(value);
  if (!url) return undefined;
  if (isPath(url, value)) return url.pathname + url.search + url.hash;
  const isOther = /^\s*[a-z]+:/i.test(value) && url.origin !== SITE;
  if (!isOther || !['https:', 'mailto:', 'tel:'].includes(url.protocol)) return undefined;
  return url.href === `${value}/` ? value : url.href;
}

/** A picture of the site. Other paths may do something when they are requested. */
function srcOf(value: string): string | undefined {
  const url = addressOf(value);
  const isPicture = url && isPath(url, value) && /\.(?:avif|gif|jpe?g|png|svg|webp)$/i.test(url.pathname);
  return isPicture ? url.pathname + url.search : undefined;
}

type Parsed = DefaultTreeAdapterTypes.Element;

const text = (value: string): string => value;
const whenMatching =
  (pattern: RegExp) =>
  (value: string): string | undefined =>
    pattern.test(value) ? value : undefined;
const size = whenMatching(/^\d{1,4}$/);

/** Tag to the attributes that it may have, each with its check. */
const ATTRIBUTES: Partial<
  Record<RichTextTag, Partial<Record<keyof RichTextAttributes, (value: string) => string | undefined>>>
> = {
  a: { href: hrefOf },
  img: { src: srcOf, alt: text, width: size, height: size },
  th: { scope: whenMatching(/^(?:row|col)(?:group)?$/) },
};

function attributesOf(tag: RichTextTag, { attrs }: Parsed): RichTextAttributes | undefined {
  const allowed = ATTRIBUTES[tag] ?? {};
  const kept = attrs.flatMap(({ name, value }) => {
    const check = Object.hasOwn(allowed, name) ? allowed[name as keyof RichTextAttributes] : undefined;
    const checked = check?.(value);
    return checked === undefined ? [] : [[name, checked]];
  });
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as RichTextAttributes);
}

/** Elements whose children are elements: white space between them is none of the text. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set(['ol', 'table', 'tbody', 'thead', 'tr', 'ul']);

function nodesOf(
  { nodeName, childNodes }: DefaultTreeAdapterTypes.ParentNode,
  depth: number,
): RichTextNode[] {
  const nodes: RichTextNode[] = [];
  for (const child of childNodes) {
    if ('value' in child && !(WITHOUT_TEXT.has(nodeName) && child.value.trim() === ''))
      nodes.push(child.value);
    if (!('tagName' in child) || DROPPED_TAGS.has(child.tagName)) continue;
    const tag = tagOf(child.tagName);
    const inner = nodesOf(child, tag ? depth + 1 : depth);
    if (!tag || depth >= MAX_DEPTH) {
      nodes.push(...inner);
      continue;
    }
    const attributes = attributesOf(tag, child);
    // A picture from elsewhere.
    if (tag === 'img' && attributes?.src === undefined) continue;
    nodes.push({ tag, ...(attributes && { attributes }), ...(inner.length > 0 && { children: inner }) });
  }
  return nodes;
}

/**
 * Parses HTML of editors and dealers as browsers do, and keeps the elements and attributes of rich text; the text of other
 * elements stays, unless it is no text. The only place that reads such HTML.
 * @throws RangeError for more than 200,000 characters or 5,000 elements
 */
export function parseRichText(html: string): RichText {
  if (html.length > MAX_LENGTH) throw new RangeError(`rich text has more than ${MAX_LENGTH} characters`);
  let elements = 0;
  const fragment = parseFragment(html, {
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement(...parts: Parameters<typeof defaultTreeAdapter.createElement>) {
        elements += 1;
        if (elements > MAX_ELEMENTS) throw new RangeError(`rich text has more than ${MAX_ELEMENTS} elements`);
        return defaultTreeAdapter.createElement(...parts);
      },
    },
  });
  return nodesOf(fragment, 0);
}
