import { describe, expect, it } from '@jest/globals';
import { createSlugReference } from '../criteria/slugs.ts';
import { parsePath } from '../criteria/path.ts';
import { normalizeUrl } from './normalizeUrl.ts';

const entry = (code: string, name: string, slug: string) => ({ code, name, slug });
const reference = createSlugReference({
  makes: [
    {
      ...entry('FORD', 'Ford', 'ford'),
      models: [entry('F150', 'F-150', 'f150'), entry('FUSION', 'Fusion', 'fusion')],
    },
    { ...entry('SAAB', 'Saab', 'saab'), models: [entry('93', '9-3', '93')] },
    { ...entry('LANDROVER', 'Land Rover', 'land-rover'), models: [] },
    {
      ...entry('MERCEDESBENZ', 'Mercedes-Benz', 'mercedes-benz'),
      models: [entry('ECLASS', 'E-Class', 'e-class')],
    },
    { ...entry('CITROEN', 'Citroën', 'citroen'), models: [] },
  ],
});

describe('makes and models in a path', () => {
  it.each([
    ['ford/f-150', 'ford/f150'],
    ['saab/9-3', 'saab/93'],
    ['landrover', 'land-rover'],
    ['mercedesbenz/eclass', 'mercedes-benz/e-class'],
    ['citro%C3%ABn', 'citroen'],
  ])("in the maker's spelling (%s) redirect to %s", (path, own) => {
    const parsed = normalizeUrl(`/cars-for-sale/all/${path}`, reference);
    expect(parsed).toMatchObject({ needsRedirect: true, canonicalUrl: `/cars-for-sale/all/${own}` });
  });

  it('in their own spelling redirect no further, and other names are unknown', () => {
    expect(normalizeUrl('/cars-for-sale/all/ford/f150', reference)).toMatchObject({
      needsRedirect: false,
    });
    expect(parsePath('/cars-for-sale/all/for-d-x', reference)).toEqual({ reason: 'unknownSegment' });
  });
});
