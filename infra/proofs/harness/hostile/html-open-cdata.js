/** Opens a section in which tags are text. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '<svg><![CDATA[</svg><p>x</p>';
