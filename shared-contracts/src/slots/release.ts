import { PAGE_SLOTS as names } from '@forecourt/search/releasePolicy';

export * from '@forecourt/releases/manifest';
export * from '@forecourt/releases/pointers';
export const PAGE_SLOTS: ReadonlySet<string> = new Set(names);
