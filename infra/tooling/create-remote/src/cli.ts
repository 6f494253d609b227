import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CreateRemoteError } from './createRemoteError.ts';
import { planRemote, REGISTERED_IN } from './planRemote.ts';
import { remoteNames } from './remoteNames.ts';
import { writeRemote } from './writeRemote.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/[/\\]$/, '');

const USAGE = `Usage: npm run create-remote <name> [-- --slot <slot>] [-- --dry-run]

Makes the remote mfe-<name>: a workspace with one slot, its tests, scenarios and
README, entered in the page's layout, CODEOWNERS and the lockfile.

  --slot <slot>  name of the slot, else that of the remote
  --dry-run      says what would be written, and writes nothing
  --help         this text
`;

/** What the command line asks for; undefined when it only wants to be told how it goes. */
function readCommandLine(): { name: string; slot: string | undefined; isDryRun: boolean } | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      slot: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  // npm keeps options without a '--' before them for itself; taken for granted, they would be lost in silence.
  for (const option of ['slot', 'dry_run'])
    if (process.env[`npm_config_${option}`] !== undefined)
      throw new Error(`put '--' before --${option.replace('_', '-')}, or npm takes it for its own`);
  const [name, ...others] = positionals;
  if (name === undefined) throw new Error('the name of the remote is missing');
  if (others.length > 0) throw new Error(`one name only, not also '${others.join("', '")}'`);
  return { name, slot: values.slot, isDryRun: values['dry-run'] };
}

/** The exit status: 0 done, 1 refused, 2 not understood. */
async function run(): Promise<number> {
  let wanted;
  try {
    wanted = readCommandLine();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
  if (!wanted) {
    process.stdout.write(USAGE);
    return 0;
  }
  try {
    const names = remoteNames(wanted.name, wanted.slot);
    const changes = await planRemote(ROOT, names);
    const lines = changes.map(({ kind, path }) => `  ${kind} ${path}\n`).join('');
    if (wanted.isDryRun) {
      process.stdout.write(`Would make ${names.remote} with the slot ${names.slot}:\n${lines}`);
      return 0;
    }
    writeRemote(ROOT, names.remote, changes);
    process.stdout.write(`Made ${names.remote} with the slot ${names.slot}:
${lines}
Next:
  npm run dev -- ${names.remote} --alone    its scenarios on a page of its own
  npm run dev -- ${names.remote}            in the composed page
  npm run unit -- ${names.remote}           its tests
  ${names.remote}/README.md                 the rest, up to its first deploy
Enter the real team in ${REGISTERED_IN.owners}, and the remote in infra/docs/architecture.md.

To take it back:
  git checkout -- ${Object.values(REGISTERED_IN).join(' ')}
  rm -r ${names.remote} node_modules/@forecourt/${names.remote}
`);
    return 0;
  } catch (error) {
    if (!(error instanceof CreateRemoteError)) throw error;
    process.stderr.write(`${error.code}: ${error.message}\n`);
    return 1;
  }
}

process.exitCode = await run();
