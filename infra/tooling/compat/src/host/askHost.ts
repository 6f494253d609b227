import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type HostAnswer, hostAnswerSchema, type HostRequest } from './facts.ts';

const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url));
const LIMIT_MS = 300_000;

/** Asks a tree what it provides and how it renders the other tree's releases. Rejects with the process's own words. */
export async function askHost(request: Omit<HostRequest, 'answer'>): Promise<HostAnswer> {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-host-'));
  const answer = join(folder, 'answer.json');
  try {
    const argument = JSON.stringify({ ...request, answer } satisfies HostRequest);
    await promisify(execFile)(process.execPath, ['--no-warnings', PROGRAM, argument], {
      cwd: request.root,
      env: { ...process.env, NODE_ENV: 'production' },
      timeout: LIMIT_MS,
      maxBuffer: 64 * 1024 * 1024,
    });
    return hostAnswerSchema.parse(JSON.parse(readFileSync(answer, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
