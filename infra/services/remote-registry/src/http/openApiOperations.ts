import { pointersSchema, releaseManifestSchema } from '@forecourt/shared-contracts/slots/release';
import { z } from 'zod';
import { garbageSchema, historySchema, listSchema, type RegistryErrorCode } from '@forecourt/cli/release';
import { canaryBodySchema } from './canary.post.ts';
import { garbageBodySchema } from './garbage.post.ts';
import { historyQuerySchema } from './history.get.ts';
import { writeSchema } from './input.ts';
import { pointerBodySchema } from './pointer.post.ts';
import { pointersQuerySchema } from './pointers.get.ts';
import { promoteBodySchema } from './promote.post.ts';

/** One route, as its callers see it. */
export interface Operation {
  readonly method: 'get' | 'put' | 'post';
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Schema of the answer as JSON; another content by its type. */
  readonly answer: z.ZodType | string;
  readonly status?: string;
  readonly notModified?: boolean;
  readonly refusals: readonly RegistryErrorCode[];
}

const WRITE: readonly RegistryErrorCode[] = ['BAD_REQUEST', 'UNAUTHORIZED', 'WRITE_REFUSED', 'STORAGE_FULL'];
const MOVE: readonly RegistryErrorCode[] = [...WRITE, 'UNKNOWN_RELEASE', 'REVISION_CHANGED'];
const GATED: readonly RegistryErrorCode[] = [...MOVE, 'GATE_REFUSED', 'SHELL_UNREACHABLE'];
const status = (text: string) => z.object({ status: z.string().describe(text) });

/** Every route, by the schemas with which it reads and answers. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/pointers',
    summary: 'What is live; held back while the pointers are at a revision, when one waits for the next.',
    query: pointersQuerySchema,
    answer: pointersSchema,
    notModified: true,
    refusals: ['BAD_REQUEST'],
  },
  {
    method: 'get',
    path: '/api/releases',
    summary: 'Every complete release, newest first.',
    answer: listSchema,
    refusals: [],
  },
  {
    method: 'get',
    path: '/api/releases/{name}',
    summary: 'Those of one remote.',
    answer: listSchema,
    refusals: ['BAD_REQUEST', 'UNKNOWN_RELEASE'],
  },
  {
    method: 'get',
    path: '/api/releases/{name}/{version}',
    summary: 'The manifest of a release.',
    answer: releaseManifestSchema,
    refusals: ['BAD_REQUEST', 'UNKNOWN_RELEASE'],
  },
  {
    method: 'put',
    path: '/api/releases/{name}/{version}',
    summary:
      'Publishes a release: a gzip’d tar of release.json and its files. It is shown to nobody by that.',
    answer: releaseManifestSchema,
    status: '201',
    refusals: [...WRITE, 'ARCHIVE_INVALID', 'RELEASE_INVALID', 'RELEASE_EXISTS', 'TOO_LARGE'],
  },
  {
    method: 'post',
    path: '/api/remotes/{name}/canary',
    summary: 'Gives a release to a share of the visitors; 0 ends the canary.',
    body: canaryBodySchema,
    answer: pointersSchema,
    refusals: [...GATED, 'NO_LIVE_RELEASE', 'CANARY_IS_LIVE'],
  },
  {
    method: 'post',
    path: '/api/remotes/{name}/promote',
    summary: 'Makes a release live for everybody; the canary’s without a version.',
    body: promoteBodySchema,
    answer: pointersSchema,
    refusals: [...GATED, 'NO_CANARY'],
  },
  {
    method: 'post',
    path: '/api/remotes/{name}/pointer',
    summary: 'The whole pointer by compare-and-set.',
    body: pointerBodySchema,
    answer: pointersSchema,
    refusals: [...GATED, 'CANARY_IS_LIVE'],
  },
  {
    method: 'post',
    path: '/api/remotes/{name}/rollback',
    summary: 'Back to the version that was live before, without asking any gate; ends a canary.',
    body: writeSchema,
    answer: pointersSchema,
    refusals: [...MOVE, 'NO_PREVIOUS_RELEASE'],
  },
  {
    method: 'get',
    path: '/api/history',
    summary: 'What was changed, newest first: who, when, why, from and to.',
    query: historyQuerySchema,
    answer: historySchema,
    refusals: ['BAD_REQUEST'],
  },
  {
    method: 'get',
    path: '/api/remotes/{name}/history',
    summary: 'The same of one remote.',
    query: historyQuerySchema,
    answer: historySchema,
    refusals: ['BAD_REQUEST'],
  },
  {
    method: 'post',
    path: '/api/gc',
    summary: 'Removes old releases that nothing keeps; with dryRun only says which.',
    body: garbageBodySchema,
    answer: garbageSchema,
    refusals: WRITE,
  },
  {
    method: 'get',
    path: '/remotes/{name}/{version}/{path}',
    summary: 'A file of a release, for ever the same. The path may hold slashes.',
    answer: '*/*',
    notModified: true,
    refusals: ['NOT_FOUND'],
  },
  {
    method: 'get',
    path: '/health/live',
    summary: 'The process answers.',
    answer: status('live'),
    refusals: [],
  },
  {
    method: 'get',
    path: '/health/ready',
    summary: 'The storage can be read and nobody is shutting the service down; 503 otherwise.',
    answer: status('ready, or why not'),
    refusals: [],
  },
  { method: 'get', path: '/metrics', summary: 'Prometheus text.', answer: 'text/plain', refusals: [] },
];
