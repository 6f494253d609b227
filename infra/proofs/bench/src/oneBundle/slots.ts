import type { SlotModule } from '@forecourt/slots';
import filters from '../../../../../mfe-filters/src/slots/filters.tsx';
import locationEditor from '../../../../../mfe-filters/src/slots/location-editor.tsx';
import toolbar from '../../../../../mfe-filters/src/slots/toolbar.tsx';
import results from '../../../../../mfe-results/src/slots/results.tsx';
import showcase from '../../../../../mfe-showcase/src/slots/showcase.tsx';
import hero from '../../../../../shell/src/marketplace/results/slots/hero.tsx';
import related from '../../../../../shell/src/marketplace/results/slots/related.tsx';

/** Slot modules by name. */
export type SlotTable = Readonly<Record<string, SlotModule>>;

/** The slots of the first view, linked at build time. */
export const FIRST_VIEW_SLOTS = {
  hero,
  filters,
  'location-editor': locationEditor,
  toolbar,
  related,
  results,
  showcase,
} as unknown as SlotTable;
