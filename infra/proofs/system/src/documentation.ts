import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment } from '@forecourt/harness/foreignProjects';
import { findPostgres, startPostgres } from '@forecourt/service-kit/testing';
import { copyRepository, freePort, remoteNames, REPOSITORY } from '@forecourt/local';
import { PAGES, PLACES, SHOPPER } from './documentation/documentedPages.ts';
import { followPage, type Values } from './documentation/followPage.ts';
import { Terminal } from './documentation/terminal.ts';
import { type Finding, noFailures, type Proof, reported } from './proof.ts';
import { signUp } from '@forecourt/harness/shopper';

/** A clone with the present working tree, its packages and builds, in `folder`. */
function cloneRepository(folder: string): string {
  const root = join(folder, 'forecourt');
  const git = (...words: string[]) => execFileSync('git', words, { stdio: 'ignore' });
  git('clone', '--shared', REPOSITORY, root);
  copyRepository(root, { withBuilds: [...remoteNames(), 'shell', 'infra/services/remote-registry'] });
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  git('-C', root, 'add', '--all');
  git('-C', root, ...author, 'commit', '--allow-empty', '--quiet', '--message', 'Working tree');
  return root;
}

/** Values of the places in the pages: free ports, and a database. */
async function choosePlaces(postgres: string): Promise<{ environment: Values; values: Values }> {
  const environment: Record<string, string> = { POSTGRES: postgres };
  const values: Record<string, string> = {};
  const ports: number[] = [];
  for (const [key, places] of Object.entries(PLACES)) {
    if (key !== 'POSTGRES') ports.push(await freePort(ports));
    environment[key] ??= String(ports.at(-1));
    for (const place of places)
      values[place] =
        key === 'POSTGRES' ? postgres : `${place.includes('://') ? 'http://' : ''}localhost:${ports.at(-1)}`;
  }
  return { environment, values };
}

export const documentation: Proof = {
  name: 'documentation',
  title: 'The commands of the documentation work as they are printed',
  limitMs: 60 * 60_000,
  method:
    'A clone of the repository. The commands are read from the pages and entered in their order, each page in a terminal of its own, over the stack that the first page starts; placeholders get values, and each page starts with a clean working tree. Every command must end with status 0. Those that need what this machine lacks are listed, with the reason, in `documentation/exceptions.ts`.',
  async run({ onEnd, say }) {
    const folder = mkdtempSync(join(tmpdir(), 'forecourt-documentation-'));
    onEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    const root = cloneRepository(folder);
    const bin = findPostgres();
    if (bin === undefined) throw new Error('needs PostgreSQL: apt-get install postgresql');
    const postgres = await startPostgres(bin);
    onEnd(postgres.stop);
    const { environment, values } = await choosePlaces(postgres.url);
    const variables = {
      ...cleanEnvironment(),
      ...environment,
      DATA_DIR: join(folder, 'data'),
      OVERRIDE_KEY: 'the key of the shell of this proof',
      REGISTRY_URL: `http://${values['localhost:4100']}`,
      MARKETPLACE_API_URL: `http://${values['localhost:4000']}`,
    };
    const findings: Finding[] = [];
    const entered = new Set<string>();
    let excepted = 0;
    for (const [index, page] of PAGES.entries()) {
      const terminal = new Terminal(join(folder, `terminal-${index}`), root, variables);
      onEnd(() => terminal.close());
      execFileSync('git', ['-C', root, 'checkout', '--quiet', '.']);
      execFileSync('git', ['-C', root, 'clean', '-dfq']);
      const { run, failures, ...others } = await followPage(page, terminal, { root, values, entered, say });
      findings.push({
        ...noFailures('commands', run, failures),
        measure: `Commands that fail: ${page.path}`,
      });
      excepted += others.excepted;
      // The stack of the first page runs for all others.
      if (index > 0) await terminal.close();
      else await signUp(values['https://www.example']!, `http://${values['localhost:4200']}`, SHOPPER);
    }
    return [
      ...findings,
      reported('Different commands entered', entered.size),
      reported('Commands that need what is not here', excepted),
    ];
  },
};
