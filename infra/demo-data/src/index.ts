import type { ContentSources } from '@forecourt/marketplace-api/contentSources';
import { ads } from './ads.ts';
import { catalog } from './catalog/catalog.ts';
import { certifiedPrograms } from './certifiedPrograms.ts';
import { createPictures } from './pictures/pictures.ts';
import { research } from './research/research.ts';

export { generateInventory, generateOwners, GENERATOR_VERSION } from './inventory/generate.ts';

/** Everything that the marketplace API shows beside its listings. */
export const createDemoContent = (): ContentSources => ({
  catalog,
  pictures: createPictures(),
  research,
  ads,
  certifiedPrograms,
});
