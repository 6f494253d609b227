import { createCatalog, type CatalogMake } from '@forecourt/marketplace-api/catalog';
import * as chevrolet from './chevrolet.data.ts';
import * as electricOnly from './electricOnly.data.ts';
import * as europe from './europe.data.ts';
import * as ford from './ford.data.ts';
import * as germany from './germany.data.ts';
import * as honda from './honda.data.ts';
import * as japanSmall from './japanSmall.data.ts';
import * as korea from './korea.data.ts';
import * as nissan from './nissan.data.ts';
import * as stellantis from './stellantis.data.ts';
import * as toyota from './toyota.data.ts';

/** Makes, models and trims sold in the United States, with their real facts. */
export const catalog = createCatalog(
  [chevrolet, electricOnly, europe, ford, germany, honda, japanSmall, korea, nissan, stellantis, toyota]
    .flatMap((group): CatalogMake[] => Object.values(group))
    .sort((a, b) => a.name.localeCompare(b.name, 'en')),
);
