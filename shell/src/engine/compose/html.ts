import { createHash } from 'node:crypto';

/** Text for an element or a quoted attribute. */
export { default as escapeHtml } from 'escape-html';

const IN_SCRIPT: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** Makes JSON fit for a script element: nothing in it can end the element or start a comment. */
export const escapeJson = (json: string): string =>
  json.replace(/[<\u2028\u2029]/g, (character) => IN_SCRIPT[character] as string);

/** JSON for a script element. */
export const jsonForScript = (value: unknown): string => escapeJson(JSON.stringify(value));

/** CSS for a style element: it cannot end the element. */
export const cssForStyle = (css: string): string => css.replace(/<\/(style)/gi, '<\\/$1');

/** An inline script or style, and its hash for the Content Security Policy. */
export interface InlineElement {
  readonly html: string;
  /** `'sha256-…'`, with quotes. */
  readonly hash: string;
}

const inline = (tag: 'script' | 'style', text: string, attributes = ''): InlineElement => ({
  html: `<${tag}${attributes}>${text}</${tag}>`,
  hash: `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
});

export const inlineStyle = (css: string): InlineElement => inline('style', cssForStyle(css));
/** For the shell's own fixed scripts only: none of them depends on a request or on a page. */
export function inlineScript(script: string): InlineElement {
  if (/<\/script|<!--/i.test(script)) throw new Error('the script would end its element');
  return inline('script', script);
}

/** Rules by which the browser fetches pages ahead. */
export const inlineSpeculationRules = (rules: object): InlineElement =>
  inline('script', jsonForScript(rules), ' type="speculationrules"');
