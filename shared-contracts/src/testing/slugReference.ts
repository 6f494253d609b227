import type { SlugData } from '../search/codec/slugs.ts';
import { createSlugReference } from '../search/codec/slugs.ts';

const trims = (...names: string[]) =>
  names.map((name) => ({ code: name.toUpperCase(), name, slug: name.toLowerCase() }));

/** A small reference with the awkward cases: a model called like a year, a slug used twice, a shared model code. */
const DATA: SlugData = {
  makes: [
    {
      code: 'FORD',
      name: 'Ford',
      slug: 'ford',
      models: [
        { code: 'F150', name: 'F150', slug: 'f150', trims: trims('XL', 'XLT') },
        { code: 'ESCAPE', name: 'Escape', slug: 'escape' },
        { code: 'TRANVAN', name: 'Transit Van', slug: 'van' },
      ],
    },
    { code: 'BMW', name: 'BMW', slug: 'bmw', models: [{ code: 'BMW3', name: '3 Series', slug: '3-series' }] },
    {
      code: 'RAM',
      name: 'Ram',
      slug: 'ram',
      models: [
        { code: 'RM2019', name: '2019', slug: '2019' },
        { code: 'RMCA', name: 'Santa Fe Ca', slug: 'santa-fe-ca' },
        { code: 'RMCB', name: 'Second Santa Fe', slug: 'santa-fe-ca' },
      ],
    },
    {
      code: 'MERC',
      name: 'Mercury',
      slug: 'mercury',
      models: [{ code: 'ESCAPE', name: 'Escape (Mercury)', slug: 'escape' }],
    },
    { code: 'ODD', name: 'Odd', slug: 'electric', models: [] },
  ],
};

export const testReference = createSlugReference(DATA);
