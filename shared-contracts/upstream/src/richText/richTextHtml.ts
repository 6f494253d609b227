import { parseRichText } from './parseRichText.ts';
import type { RichText, RichTextElement, RichTextNode } from './richText.ts';

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ESCAPED[character] ?? '');

const EMPTY_TAGS = new Set(['br', 'hr', 'img']);

function elementHtml({ tag, attributes = {}, children = [] }: RichTextElement): string {
  const isOffsite = attributes.href?.startsWith('https:');
  const all = {
    ...attributes,
    ...(isOffsite && { target: '_blank', rel: 'noopener noreferrer nofollow' }),
    ...(tag === 'img' && { loading: 'lazy' }),
  };
  const pairs = Object.entries(all).map(([name, value]) => ` ${name}="${escape(value)}"`);
  const start = `<${tag}${pairs.join('')}>`;
  return EMPTY_TAGS.has(tag) ? start : `${start}${children.map(nodeHtml).join('')}</${tag}>`;
}
const nodeHtml = (node: RichTextNode): string =>
  typeof node === 'string' ? escape(node) : elementHtml(node);

/** Rich text as HTML, for readers that expect a document. */
export const richTextHtml = (richText: RichText): string => richText.map(nodeHtml).join('');

/** HTML without anything that is no rich text: no scripts, styles, frames, forms or handlers. @throws RangeError if it is too large */
export const sanitizeHtml = (html: string): string => richTextHtml(parseRichText(html));
