import type { SlotState } from '@forecourt/slots';

/**
 * The state of a page: `page` says which page it is, `session` who visits it, and the other parts have its content. The
 * engine reads `page` only; it slices, encodes and passes on the rest.
 */
export type PageState = SlotState;
