/** The elements that texts of editors and dealers may have. */
export const RICH_TEXT_TAGS = [
  'a',
  'b',
  'blockquote',
  'br',
  'div',
  'em',
  'h3',
  'h4',
  'hr',
  'i',
  'img',
  'li',
  'ol',
  'p',
  'span',
  'strong',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'ul',
] as const;
export type RichTextTag = (typeof RICH_TEXT_TAGS)[number];

/** Attributes of rich text, by the names that HTML and React share. */
export interface RichTextAttributes {
  /** Of a link: `https:`, `mailto:`, `tel:` or a path of the site. */
  readonly href?: string;
  /** Of a picture: a path of the site. */
  readonly src?: string;
  readonly alt?: string;
  /** CSS px. */
  readonly width?: string;
  readonly height?: string;
  readonly scope?: string;
}

export interface RichTextElement {
  readonly tag: RichTextTag;
  readonly attributes?: RichTextAttributes;
  /** Absent where there are none. */
  readonly children?: RichText;
}

/** Text without markup, or an element. */
export type RichTextNode = string | RichTextElement;

/** Formatted text as a tree: it holds no other elements and attributes than these, so that pages can draw it as it is. */
export type RichText = readonly RichTextNode[];
