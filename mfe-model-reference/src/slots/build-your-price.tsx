import { defineSlot } from '@forecourt/slots';
import { BuildYourPrice } from '../buildYourPrice/BuildYourPrice.tsx';
import { buildHead, loadBuild, type BuildData } from '../buildYourPrice/loadBuild.ts';

/** Main slot of the page on which a shopper prices a new vehicle by trim. */
export default defineSlot<BuildData>({
  reads: ['page', 'session'],
  load: loadBuild,
  page: ({ data }) => buildHead(data),
  view: BuildYourPrice,
});
