import { describe, expect, it } from '@jest/globals';
import { siteWordsIn } from './engineWords.ts';

describe('words of the marketplace in the engine', () => {
  it.each([
    ['in a comment', '// One listing per row.', '1: listing'],
    ['in a name', "const a = 1;\ncall('zipLookup');", '2: zip'],
    ['in another case', 'const savedVehicleIds = [];', '1: Vehicle'],
    ['in a path', "send('/cars-for-sale/all');", '1: cars-for-sale'],
    ['beside an allowed word', 'gzip(zipOf(page));', '1: zip'],
    ['of its own', '/** Sells a car. */', '1: car'],
  ])('are found %s', (_, source, found) => {
    expect(siteWordsIn(source)).toEqual([found]);
  });

  it.each([
    ['the content coding', 'createGzip(); gunzipSync(); const GZIP = 1;'],
    ['a longer word', 'const card = scarcity; // carries'],
    ['a word of another site', "call('shelf'); // One book per row."],
  ])('are not found in %s', (_, source) => {
    expect(siteWordsIn(source)).toEqual([]);
  });
});
