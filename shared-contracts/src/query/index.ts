export * from '@forecourt/search/query';
export type { QueryOptions as RequestContext } from '@forecourt/search/query';
