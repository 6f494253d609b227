export * from '@forecourt/search/url';
