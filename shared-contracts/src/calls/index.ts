import {
  BATCH_PATH_HEADER,
  batchPartSchema,
  batchRequestSchema,
  MAX_BATCH_CALLS,
} from '@forecourt/upstream/batch';

export * from '@forecourt/upstream/calls';
export const BATCH = {
  advertisedIn: BATCH_PATH_HEADER,
  maxCalls: MAX_BATCH_CALLS,
  request: batchRequestSchema,
  part: batchPartSchema,
} as const;
