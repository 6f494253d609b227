/** Replaces a method of the document that the shell’s browser code calls. */
export const stoppedBy = 'fragment-check';
export const outcome = 'fallback';
export const html = '<img name="querySelector" src="/x" alt=""/>';
