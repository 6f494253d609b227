import { releaseManifestSchema } from '@forecourt/releases/manifest';
import { pointersSchema } from '@forecourt/releases/pointers';
import { z } from 'zod';
import {
  callerSchema,
  credentialSchema,
  credentialsSchema,
  issuedCredentialSchema,
} from '@forecourt/release-kit/credentials';
import { logPageSchema } from '@forecourt/release-kit/logEntries';
import type { RegistryErrorCode } from '@forecourt/release-kit/registryError';
import {
  canaryReportSchema,
  garbageSchema,
  historySchema,
  holdsSchema,
  listSchema,
  statusSchema,
} from '@forecourt/release-kit/registryResponses';
import { signedManifestSchema, signingKeySchema, signingKeysSchema } from '@forecourt/release-kit/signatures';
import { credentialBodySchema, exchangeBodySchema, keyBodySchema, logQuerySchema } from './access.ts';
import {
  canaryBodySchema,
  holdBodySchema,
  pointerBodySchema,
  pointersQuerySchema,
  promoteBodySchema,
} from './pointers.ts';
import { historyQuerySchema } from './history.ts';
import { garbageBodySchema } from './releases.ts';
import { writeSchema } from './requests.ts';

/** One route of the API. */
export interface Operation {
  readonly method: 'get' | 'put' | 'post';
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Schema of the JSON response, or the media type of another response. */
  readonly response: z.ZodType | string;
  readonly status?: string;
  /** Default: all but GET. */
  readonly needsCaller?: boolean;
  readonly notModified?: boolean;
  readonly refusals: readonly RegistryErrorCode[];
}

const CALLER: readonly RegistryErrorCode[] = ['UNAUTHORIZED', 'WRITE_REFUSED', 'FORBIDDEN'];
const STORAGE: readonly RegistryErrorCode[] = ['STORAGE_DAMAGED', 'STORAGE_UNAVAILABLE', 'STORAGE_FULL'];
const WRITE: readonly RegistryErrorCode[] = ['BAD_REQUEST', ...CALLER, ...STORAGE];
const MOVE: readonly RegistryErrorCode[] = [...WRITE, 'UNKNOWN_RELEASE', 'REVISION_CHANGED'];
const GATED: readonly RegistryErrorCode[] = [...MOVE, 'GATE_REFUSED', 'SHELL_UNREACHABLE'];
const status = (text: string) => z.object({ status: z.string().describe(text) });

/** Every route with its request and response schemas. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/pointers',
    summary: 'What is live; with wait and revision, the response waits for a newer revision.',
    query: pointersQuerySchema,
    response: pointersSchema,
    notModified: true,
    refusals: ['BAD_REQUEST'],
  },
  {
    method: 'get',
    path: '/api/releases',
    summary: 'Every complete release, newest first.',
    response: listSchema,
    refusals: [],
  },
  {
    method: 'get',
    path: '/api/releases/{name}',
    summary: 'The releases of one remote.',
    response: listSchema,
    refusals: ['BAD_REQUEST', 'UNKNOWN_RELEASE'],
  },
  {
    method: 'get',
    path: '/api/releases/{name}/{version}',
    summary: 'The manifest of a release.',
    response: releaseManifestSchema,
    refusals: ['BAD_REQUEST', 'UNKNOWN_RELEASE'],
  },
  {
    method: 'put',
    path: '/api/releases/{name}/{version}',
    summary: 'Publishes a release: a gzipped tar of release.json and its files. It does not become live.',
    response: releaseManifestSchema,
    status: '201',
    refusals: [
      ...WRITE,
      'ARCHIVE_INVALID',
      'RELEASE_INVALID',
      'RELEASE_EXISTS',
      'TOO_LARGE',
      'SIGNATURE_INVALID',
    ],
  },
  {
    method: 'get',
    path: '/api/remotes/{name}/canary',
    summary: 'How the canary fares against the live release, over all shells that the registry watches.',
    response: canaryReportSchema,
    needsCaller: true,
    refusals: ['BAD_REQUEST', ...CALLER, 'NO_CANARY'],
  },
  {
    method: 'get',
    path: '/api/status',
    summary:
      'What is live where, canaries, holds, and slots that failed lately, over all shells that the registry watches.',
    response: statusSchema,
    needsCaller: true,
    refusals: [...CALLER],
  },
  {
    method: 'post',
    path: '/api/remotes/{name}/canary',
    summary: 'Serves a release to a share of visitors; 0 ends the canary.',
    body: canaryBodySchema,
    response: pointersSchema,
    refusals: [...GATED, 'NO_LIVE_RELEASE', 'CANARY_IS_LIVE'],
  },
  {
    method: 'post',
    path: '/api/remotes/{name}/promote',
    summary: 'Makes a release live for everyone; default: the canary’s version.',
    body: promoteBodySchema,
    response: pointersSchema,
    refusals: [...GATED, 'NO_CANARY'],
  },
  {
    method: 'post',
    path: '/api/remotes/{name}/pointer',
    summary: 'Sets the whole pointer by compare-and-set.',
    body: pointerBodySchema,
    response: pointersSchema,
    refusals: [...GATED, 'CANARY_IS_LIVE'],
  },
  {
    method: 'post',
    path: '/api/remotes/{name}/rollback',
    summary: 'Returns to the previous live version without asking the gate; ends a canary.',
    body: writeSchema,
    response: pointersSchema,
    refusals: [...MOVE, 'NO_PREVIOUS_RELEASE'],
  },
  {
    method: 'post',
    path: '/api/remotes/{name}/hold',
    summary: 'Lets the pointer only go back, by a rollback or the end of its canary, until it is resumed.',
    body: holdBodySchema,
    response: pointersSchema,
    refusals: [...MOVE, 'NO_LIVE_RELEASE'],
  },
  {
    method: 'post',
    path: '/api/remotes/{name}/resume',
    summary: 'Ends a hold.',
    body: writeSchema,
    response: pointersSchema,
    refusals: MOVE,
  },
  {
    method: 'get',
    path: '/api/holds',
    summary: 'Held remotes, with person and reason.',
    response: holdsSchema,
    refusals: [],
  },
  {
    method: 'get',
    path: '/api/history',
    summary: 'Pointer changes, newest first: who, when, why, before and after.',
    query: historyQuerySchema,
    response: historySchema,
    refusals: ['BAD_REQUEST'],
  },
  {
    method: 'get',
    path: '/api/remotes/{name}/history',
    summary: 'Pointer changes of one remote.',
    query: historyQuerySchema,
    response: historySchema,
    refusals: ['BAD_REQUEST'],
  },
  {
    method: 'post',
    path: '/api/gc',
    summary: 'Removes unused old releases; with dryRun, only lists them.',
    body: garbageBodySchema,
    response: garbageSchema,
    refusals: WRITE,
  },
  {
    method: 'get',
    path: '/api/releases/{name}/{version}/signature',
    summary: 'The signed text of the manifest, its signature and key id.',
    response: signedManifestSchema,
    refusals: ['BAD_REQUEST', 'UNKNOWN_RELEASE', 'NOT_SIGNED'],
  },
  {
    method: 'get',
    path: '/api/log',
    summary: 'The transparency log, oldest entries first, each as the text that its hash covers.',
    query: logQuerySchema,
    response: logPageSchema,
    refusals: ['BAD_REQUEST'],
  },
  {
    method: 'get',
    path: '/api/keys',
    summary: 'The public keys that sign the releases of each remote.',
    response: signingKeysSchema,
    refusals: [],
  },
  {
    method: 'post',
    path: '/api/keys',
    summary: 'Adds a key; from then on, releases of the remote must be signed.',
    body: keyBodySchema,
    response: z.object({ key: signingKeySchema }),
    status: '201',
    refusals: WRITE,
  },
  {
    method: 'post',
    path: '/api/keys/{name}/{keyId}/remove',
    summary: 'Removes a key; releases that it signed stay.',
    response: z.object({ key: signingKeySchema }),
    refusals: [...WRITE, 'UNKNOWN_KEY'],
  },
  {
    method: 'get',
    path: '/api/credentials',
    summary: 'The credentials that the caller administers, without tokens.',
    response: credentialsSchema,
    needsCaller: true,
    refusals: CALLER,
  },
  {
    method: 'get',
    path: '/api/credentials/self',
    summary: 'Who the caller is and what it may do.',
    response: callerSchema,
    needsCaller: true,
    refusals: CALLER,
  },
  {
    method: 'post',
    path: '/api/credentials',
    summary: 'Creates a credential; its token is shown once.',
    body: credentialBodySchema,
    response: issuedCredentialSchema,
    status: '201',
    refusals: [...WRITE, 'CREDENTIAL_EXISTS'],
  },
  {
    method: 'post',
    path: '/api/credentials/exchange',
    summary: 'Exchanges the OpenID Connect token of a trusted CI run for a credential of 15 minutes.',
    body: exchangeBodySchema,
    response: issuedCredentialSchema,
    status: '201',
    needsCaller: false,
    refusals: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'STORAGE_FULL', 'ISSUER_UNAVAILABLE'],
  },
  {
    method: 'post',
    path: '/api/credentials/{credential}/rotate',
    summary: 'Replaces the token; the old one stops working at once.',
    response: issuedCredentialSchema,
    refusals: [...WRITE, 'UNKNOWN_CREDENTIAL'],
  },
  {
    method: 'post',
    path: '/api/credentials/{credential}/revoke',
    summary: 'Removes a credential; its token stops working at once.',
    response: z.object({ credential: credentialSchema }),
    refusals: [...WRITE, 'UNKNOWN_CREDENTIAL'],
  },
  {
    method: 'get',
    path: '/remotes/{name}/{version}/{path}',
    summary: 'A file of a release, immutable. The path may contain slashes.',
    response: '*/*',
    notModified: true,
    refusals: ['NOT_FOUND'],
  },
  {
    method: 'get',
    path: '/health/live',
    summary: 'The process is running.',
    response: status('live'),
    refusals: [],
  },
  {
    method: 'get',
    path: '/health/ready',
    summary: '503 while the storage cannot be read or the service is shutting down.',
    response: status('ready, or why not'),
    refusals: [],
  },
  { method: 'get', path: '/metrics', summary: 'Prometheus text.', response: 'text/plain', refusals: [] },
];
