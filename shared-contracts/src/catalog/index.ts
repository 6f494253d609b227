export * from '@forecourt/search/catalog';
