/** Text, or one of the elements that editors may use. */
export type RichNode =
  | string
  | { readonly tag: RichTag; readonly href?: string; readonly children: RichNode[] };

const RICH_TAGS = ['p', 'ul', 'ol', 'li', 'strong', 'em', 'h3', 'h4', 'a', 'br'] as const;
type RichTag = (typeof RICH_TAGS)[number];

/** Equivalent tags; headings move below the dialog's heading. */
const TAG_ALIASES: Readonly<Record<string, RichTag>> = {
  b: 'strong',
  i: 'em',
  h1: 'h3',
  h2: 'h3',
  h5: 'h4',
  h6: 'h4',
};
/** Elements that are dropped with their content. */
const DROPPED_TAGS = new Set(['script', 'style', 'template', 'iframe', 'object', 'noscript', 'title']);

/** Deeper nesting is flattened; its text stays. */
const MAX_DEPTH = 20;

const TOKEN = /<!--[\s\S]*?-->|<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>|([^<]+|<)/g;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  ndash: '–',
  mdash: '—',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  hellip: '…',
};

const codePoint = (value: number): string =>
  value > 0 && value <= 0x10ffff ? String.fromCodePoint(value) : '';

const decode = (text: string): string =>
  text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{1,10}));/gi,
    (entity, hex?: string, decimal?: string, name?: string) => {
      if (hex) return codePoint(parseInt(hex, 16));
      if (decimal) return codePoint(Number(decimal));
      return name !== undefined && Object.hasOwn(ENTITIES, name) ? ENTITIES[name]! : entity;
    },
  );

const BLOCKS: readonly RichTag[] = ['p', 'ul', 'ol', 'li', 'h3', 'h4'];
const ENDS_BEFORE: readonly RichTag[] = ['ul', 'ol'];

/**
 * Number of elements that stay open when `tag` opens. As in HTML, a block
 * closes a paragraph or heading, an item the previous item, a link a link.
 */
function openCountBefore(open: readonly { readonly tag: RichTag }[], tag: RichTag): number {
  const closes: readonly RichTag[] =
    tag === 'a'
      ? ['a']
      : tag === 'li'
        ? ['li', 'p', 'h3', 'h4']
        : BLOCKS.includes(tag)
          ? ['p', 'h3', 'h4']
          : [];
  for (let at = open.length - 1; at >= 0; at -= 1) {
    const here = open[at]!.tag;
    if (closes.includes(here)) return openCountBefore(open.slice(0, at), tag);
    if (tag !== 'a' && ENDS_BEFORE.includes(here)) break;
  }
  return open.length;
}

/** Allows http(s) and same-origin paths. */
const safeHref = (href: string): string | undefined =>
  /^https?:\/\//i.test(href) || /^\/(?![/\\])/.test(href) ? href : undefined;

const knownTag = (name: string): RichTag | undefined =>
  RICH_TAGS.find((tag) => tag === name) ?? (Object.hasOwn(TAG_ALIASES, name) ? TAG_ALIASES[name] : undefined);

/**
 * Parses HTML from editors into nodes that React can render. Only known
 * elements and safe links survive. Trusted Types forbid `innerHTML`, so the
 * browser's parser is not available.
 */
export function parseRichText(html: string): readonly RichNode[] {
  const root: RichNode[] = [];
  const open: { tag: RichTag; children: RichNode[] }[] = [];
  const here = () => open.at(-1)?.children ?? root;
  let dropped: string | undefined;
  for (const [, slash, rawName, attributes = '', text] of html.matchAll(TOKEN)) {
    const name = rawName?.toLowerCase();
    if (dropped !== undefined) {
      if (slash && name === dropped) dropped = undefined;
      continue;
    }
    if (text !== undefined) here().push(decode(text));
    if (name === undefined) continue;
    if (DROPPED_TAGS.has(name)) {
      if (!slash) dropped = name;
      continue;
    }
    const tag = knownTag(name);
    if (!tag) continue;
    if (slash) {
      const at = open.findLastIndex((element) => element.tag === tag);
      if (at >= 0) open.length = at;
      continue;
    }
    open.length = openCountBefore(open, tag);
    const [, double, single, unquoted] = HREF.exec(attributes) ?? [];
    const href = tag === 'a' ? safeHref(decode(double ?? single ?? unquoted ?? '')) : undefined;
    const element = { tag, children: [] as RichNode[], ...(href && { href }) };
    here().push(element);
    if (tag !== 'br' && open.length < MAX_DEPTH) open.push(element);
  }
  return root;
}
