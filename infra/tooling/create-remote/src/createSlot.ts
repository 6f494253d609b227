import { planSlot, writeChanges } from './planRemote.ts';
import { remoteNames, ROOT, runGenerator } from './names.ts';

const USAGE = `Usage: npm run create-slot -- <remote> <slot> [--dry-run]

Creates src/slots/<slot>.tsx and its test in an existing remote, and places the
slot in the page layout.

  --dry-run  list the files without writing them
  --help
`;

await runGenerator({
  usage: USAGE,
  options: { 'dry-run': { type: 'boolean', default: false } },
  read(positionals, values) {
    const [remote, slot, ...others] = positionals;
    if (remote === undefined || slot === undefined) throw new Error('create-slot needs a remote and a slot');
    if (others.length > 0) throw new Error(`unexpected argument: ${others.join(' ')}`);
    return { remote, slot, isDryRun: values['dry-run'] === true };
  },
  async run({ remote, slot, isDryRun }) {
    const names = remoteNames(remote, slot);
    const changes = await planSlot(ROOT, names);
    const lines = changes.map(({ kind, path }) => `  ${kind} ${path}\n`).join('');
    if (isDryRun) return `Would create the slot ${names.slot} of ${names.remote}:\n${lines}`;
    writeChanges(ROOT, changes);
    return `Created the slot ${names.slot} of ${names.remote}:
${lines}
Next:
  npm run unit -- ${names.remote}           its tests
  npm run dev -- ${names.remote}            in the composed page
What it emits, hears and calls in the browser: shell/src/marketplace/permissions.ts
Publish and promote a release with the slot before a shell with the new layout goes live.
`;
  },
});
