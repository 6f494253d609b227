export * from '@forecourt/search/brands';
