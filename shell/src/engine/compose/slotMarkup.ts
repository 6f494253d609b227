import type { FileLink } from '../rendering/release.ts';
import { slotElementId } from '../universal/slotElements.ts';
import { escapeHtml } from './html.ts';
import type { SlotPlacement } from '../layout/placement.ts';

const styleLink = ({ url, integrity }: FileLink, attributes = ''): string =>
  `<link rel="stylesheet" href="${escapeHtml(url)}" integrity="${integrity}" crossorigin${attributes}>`;

/** Styles of the content that follows; the browser paints the content above without them. */
export const styleLinks = (styles: readonly FileLink[]): string =>
  styles.map((style) => styleLink(style)).join('');

/** The same, but scripts say when they are loaded: they would stop the parser, and take connections from the first view. */
export const laterStyleLinks = (styles: readonly FileLink[]): string =>
  styles.map((style) => styleLink(style, ' disabled data-later')).join('') +
  (styles.length > 0 ? `<noscript>${styleLinks(styles)}</noscript>` : '');

/** Counters and quotation marks go on as if the slot were empty. */
const SCOPED = 'contain:style';
/** Besides, nothing inside is drawn outside, or above what is outside, but for focus rings (`slots.css`). */
const CONTAINED = 'contain:content';

/** Opens a slot's element; while empty, it reserves space. `isAssigned`: to a slot of a shadow root around it. */
export function openSlot(
  { slot, reserve, overlaps }: SlotPlacement,
  { isFilled, isAssigned = false }: { readonly isFilled: boolean; readonly isAssigned?: boolean },
): string {
  const styles = [
    overlaps ? SCOPED : CONTAINED,
    ...(isFilled ? [] : [`--fc-reserve-narrow:${reserve.narrow};--fc-reserve-wide:${reserve.wide}`]),
  ];
  return (
    `<div id="${slotElementId(slot)}" data-slot="${slot}" class="fc-slot"` +
    (isAssigned ? ` slot="${slot}"` : '') +
    ` style="${styles.join(';')}"` +
    (isFilled ? '>' : ' data-empty>')
  );
}

export const closeSlot = '</div>';

/**
 * HTML of a slot in a frame, until the frame is ready. Its styles are not trusted with the page either: a shadow root limits
 * them to this HTML, and containment keeps it in its place. A click could open a layer above the page, which nothing
 * contains, so it is to look at only.
 */
export const separated = (html: string, styles: readonly FileLink[]): string =>
  '<div style="contain:content" inert><div><template shadowrootmode="open">' +
  `${styleLinks(styles)}${html}</template></div></div>`;
