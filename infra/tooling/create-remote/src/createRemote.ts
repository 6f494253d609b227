import { type Change, OWNERS, planRemote, writeRemote } from './planRemote.ts';
import { remoteNames, ROOT, runGenerator } from './names.ts';

const USAGE = `Usage: npm run create-remote <name> [-- --slot <slot>] [-- --dry-run]

Creates the remote mfe-<name>: a workspace with one slot, its tests, scenarios and
README, registered in the page layout, CODEOWNERS and the lockfile.

  --slot <slot>  name of the slot; default: the name of the remote
  --dry-run      list the files without writing them
  --help
`;

const editsOf = (changes: readonly Change[]): string =>
  changes
    .filter(({ kind }) => kind === 'edit')
    .map(({ path }) => path)
    .join(' ');

await runGenerator({
  usage: USAGE,
  options: { slot: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
  read(positionals, values) {
    const [name, ...others] = positionals;
    if (name === undefined) throw new Error('the name of the remote is missing');
    if (others.length > 0) throw new Error(`unexpected argument: ${others.join(' ')}`);
    return { name, slot: values['slot'] as string | undefined, isDryRun: values['dry-run'] === true };
  },
  async run({ name, slot, isDryRun }) {
    const names = remoteNames(name, slot);
    const changes = await planRemote(ROOT, names);
    const lines = changes.map(({ kind, path }) => `  ${kind} ${path}\n`).join('');
    if (isDryRun) return `Would create ${names.remote} with the slot ${names.slot}:\n${lines}`;
    writeRemote(ROOT, names.remote, changes);
    return `Created ${names.remote} with the slot ${names.slot}:
${lines}
Next:
  npm run dev -- ${names.remote}     in the composed page, and its scenarios on a page of their own
  npm run unit -- ${names.remote}    its tests
  ${names.remote}/README.md          the rest, up to its first deploy
Enter the real team in ${OWNERS}, and the remote in infra/docs/architecture.md.

To undo:
  git checkout -- ${editsOf(changes)}
  rm -r ${names.remote} node_modules/@forecourt/${names.remote}
`;
  },
});
