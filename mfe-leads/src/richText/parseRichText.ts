/** Text, or an element of the few kinds that editors' content is made of. */
export type RichNode =
  string | { readonly tag: RichTag; readonly href?: string; readonly children: RichNode[] };

const TAGS = ['p', 'ul', 'ol', 'li', 'strong', 'em', 'h3', 'h4', 'a', 'br'] as const;
export type RichTag = (typeof TAGS)[number];

/** Other names for the same, and headings brought below that of the dialog. */
const SAME: Readonly<Record<string, RichTag>> = {
  b: 'strong',
  i: 'em',
  h1: 'h3',
  h2: 'h3',
  h5: 'h4',
  h6: 'h4',
};
/** Their text is no text of the content. */
const DROPPED = new Set(['script', 'style', 'template', 'iframe', 'object', 'noscript', 'title']);

/** Deeper nesting is no text of an editor; its words stay. */
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
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex) return codePoint(parseInt(hex, 16));
      if (decimal) return codePoint(Number(decimal));
      return name !== undefined && Object.hasOwn(ENTITIES, name) ? ENTITIES[name]! : whole;
    },
  );

const BLOCKS: readonly RichTag[] = ['p', 'ul', 'ol', 'li', 'h3', 'h4'];
const ENDS_BEFORE: readonly RichTag[] = ['ul', 'ol'];

/**
 * Number of open elements that stay open when `tag` opens: as in HTML a block
 * ends the paragraph or heading, an item the item before it, a link the link.
 */
function staysOpen(open: readonly { readonly tag: RichTag }[], tag: RichTag): number {
  const ended: readonly RichTag[] =
    tag === 'a'
      ? ['a']
      : tag === 'li'
        ? ['li', 'p', 'h3', 'h4']
        : BLOCKS.includes(tag)
          ? ['p', 'h3', 'h4']
          : [];
  for (let at = open.length - 1; at >= 0; at -= 1) {
    const here = open[at]!.tag;
    if (ended.includes(here)) return staysOpen(open.slice(0, at), tag);
    if (tag !== 'a' && ENDS_BEFORE.includes(here)) break;
  }
  return open.length;
}

/** Only pages: http(s), or a path of this site. */
const safeHref = (href: string): string | undefined =>
  /^https?:\/\//i.test(href) || /^\/(?![/\\])/.test(href) ? href : undefined;

const knownTag = (name: string): RichTag | undefined =>
  TAGS.find((tag) => tag === name) ?? (Object.hasOwn(SAME, name) ? SAME[name] : undefined);

/**
 * Reads the HTML of editors into nodes that React can render. Text becomes
 * text; only known elements and safe links survive, whatever the upstream sent:
 * under Trusted Types a page turns no string into markup.
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
    if (DROPPED.has(name)) {
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
    open.length = staysOpen(open, tag);
    const [, double, single, bare] = HREF.exec(attributes) ?? [];
    const href = tag === 'a' ? safeHref(decode(double ?? single ?? bare ?? '')) : undefined;
    const element = { tag, children: [] as RichNode[], ...(href && { href }) };
    here().push(element);
    if (tag !== 'br' && open.length < MAX_DEPTH) open.push(element);
  }
  return root;
}
