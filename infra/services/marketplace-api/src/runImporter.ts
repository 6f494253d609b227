import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** `npm run inventory:import`, in a process of its own, so that pages don't wait for it. Resolves to its exit status. */
export const runImporter = (options: readonly string[], signal?: AbortSignal): Promise<number> =>
  new Promise((done, reject) => {
    const args = [join(import.meta.dirname, 'import.ts'), ...options];
    const child = spawn(process.execPath, args, { stdio: 'ignore', signal });
    child.once('error', reject);
    child.once('exit', (status) => done(status ?? 1));
  });
