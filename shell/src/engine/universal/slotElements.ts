/** Each slot's element: `<div id="slot-results" data-slot="results">`. */
export const slotElementId = (slot: string): string => `slot-${slot}`;
/** The name of a slot as people read it, e.g. 'Model reference'. */
export const slotTitle = (slot: string): string =>
  slot.charAt(0).toUpperCase() + slot.slice(1).replaceAll('-', ' ');
