export * from '@forecourt/search/format';
export * from '@forecourt/search/missingCriteria';
export * from '@forecourt/search/payments';
export { SMALL_SCREEN_BELOW } from '@forecourt/slots/ui';
export * from '@forecourt/upstream/agreements';
export { formatLastExecuted } from '@forecourt/upstream/entities';
