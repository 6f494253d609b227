export { parseRichText } from './parseRichText.ts';
export type { RichText, RichTextNode } from './richText.ts';
export { sanitizeHtml } from './richTextHtml.ts';
