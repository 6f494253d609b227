export * from './codes.ts';
export * from './forms.ts';
export * from './listing.ts';
export * from './owner.ts';
export * from './searchResponse.ts';
export * from './toListing.ts';
