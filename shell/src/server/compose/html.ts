/** Text for an element or a quoted attribute. */
export { default as escapeHtml } from 'escape-html';

const IN_SCRIPT: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON for a script element: nothing in it can end the element or start a comment. */
export const jsonForScript = (value: unknown): string =>
  JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => IN_SCRIPT[character] as string);

/** CSS for a style element: it cannot end the element. */
export const cssForStyle = (css: string): string => css.replace(/<\/(style)/gi, '<\\/$1');
