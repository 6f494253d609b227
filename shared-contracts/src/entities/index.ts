export * from '@forecourt/upstream/entities';
export type { SearchPageData as PageData } from '@forecourt/upstream/entities';
