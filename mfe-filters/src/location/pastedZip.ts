import type { ClipboardEvent } from 'react';

/**
 * What a ZIP field holds after a paste: all of it but the blanks around. The
 * browser alone would cut it to the field's `maxlength`, and what is left of a
 * ZIP+4 would be taken (AMB-005).
 */
export function pastedZip(event: ClipboardEvent<HTMLInputElement>): string {
  event.preventDefault();
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  const pasted = event.clipboardData.getData('text').trim();
  return value.slice(0, selectionStart ?? 0) + pasted + value.slice(selectionEnd ?? value.length);
}
