import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url));
const REPOSITORY = fileURLToPath(new URL('../../../../..', import.meta.url));
const LIMIT_MS = 300_000;

/** Releases are evaluated there: without the environment, and with the files of both trees only. */
function permissions({ root, remotes }: Omit<HostRequest, 'resultFile'>, results: string): string[] {
  const folders = [REPOSITORY, root, ...remotes.flatMap(({ guest, own = guest }) => [guest, own])];
  return [
    '--permission',
    ...new Set(
      folders.flatMap((path) => [path, realpathSync(path)]).map((path) => `--allow-fs-read=${path}`),
    ),
    `--allow-fs-write=${results}`,
    // The compiler of the contracts' TSX is one; see `refuseNativeCode`.
    '--allow-addons',
  ];
}

/**
 * Runs a tree as host in its own process: what it provides, and how it renders the other tree's releases. Rejects with the
 * output of the process.
 */
export async function runHost(request: Omit<HostRequest, 'resultFile'>): Promise<HostResult> {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-host-'));
  const resultFile = join(folder, 'result.json');
  try {
    const argument = JSON.stringify({ ...request, resultFile } satisfies HostRequest);
    const options = [...permissions(request, folder), '--no-warnings'];
    await promisify(execFile)(process.execPath, [...options, PROGRAM, argument], {
      cwd: request.root,
      env: { NODE_ENV: 'production' },
      timeout: LIMIT_MS,
      maxBuffer: 64 * 1024 * 1024,
    });
    return hostResultSchema.parse(JSON.parse(readFileSync(resultFile, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const schema = z.record(z.string(), z.unknown());

/** What a tree's shell provides and its contracts declare, without any remote. */
const treeFactsSchema = z.object({
  /** Contract package to version. */
  contracts: z.record(z.string(), z.string()),
  /** Shared module to version. */
  shared: z.record(z.string(), z.string()),
  /** Shared module of the contracts to the names it exports. */
  exports: z.record(z.string(), z.array(z.string())),
  /** Names that a slot may put into `reads`. */
  stateKeys: z.array(z.string()),
  sessionKeys: z.array(z.string()),
  /** Remote to the slots that the page places in it. */
  placed: z.record(z.string(), z.array(z.string())),
  /** Schema name to JSON Schema: the upstream's entities and the response of each call. */
  schemas: z.record(z.string(), schema),
  events: z.array(z.string()),
  /** Event to its fields by path; unreadable events are missing. */
  eventFields: z.record(
    z.string(),
    z.record(z.string(), z.object({ expected: z.string(), isRequired: z.boolean() })),
  ),
});
export type TreeFacts = z.infer<typeof treeFactsSchema>;

/** The result of rendering one slot of one release on one page of the host. */
const renderSchema = z.object({
  slot: z.string(),
  context: z.string(),
  /** What went wrong; absent when it rendered. */
  problem: z.string().optional(),
});
export type Render = z.infer<typeof renderSchema>;

const hostResultSchema = z.object({
  facts: treeFactsSchema,
  /** Remote to its guest release's renders, without problems that the host's own release has too. */
  renders: z.record(z.string(), z.array(renderSchema)),
});
export type HostResult = z.infer<typeof hostResultSchema>;

/** The job of a host process, as JSON in its first argument. */
export const hostRequestSchema = z.object({
  root: z.string(),
  /** Where the result is written; stdout is not usable because a remote may write to it. */
  resultFile: z.string(),
  remotes: z.array(
    z.object({
      name: z.string(),
      /** Folders with a built release of the other tree and of the host itself. */
      guest: z.string(),
      own: z.string().optional(),
    }),
  ),
});
export type HostRequest = z.infer<typeof hostRequestSchema>;
