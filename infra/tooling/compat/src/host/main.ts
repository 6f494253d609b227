import { writeFileSync } from 'node:fs';
import { registerTsx } from '@forecourt/build/loadTsx';
import { recordedContexts, scenarioContexts, treeModules } from './contexts.ts';
import { type HostResult, hostRequestSchema } from './runHost.ts';
import { readFacts } from './readFacts.ts';
import { renderGuest } from './renderGuest.ts';

// One process per tree, so that the contracts and Reacts of two trees stay apart.
const { root, resultFile, remotes } = hostRequestSchema.parse(JSON.parse(process.argv[2] ?? ''));
registerTsx();
const tree = treeModules(root);
const facts = await readFacts(tree);
const recorded = await recordedContexts(tree);
const renders: HostResult['renders'] = {};
for (const { name, guest, own } of remotes) {
  const contexts = [...recorded, ...(await scenarioContexts(tree, root, name))];
  try {
    renders[name] = await renderGuest(guest, own, contexts, { tree, facts });
  } catch (error) {
    const problem = `does not load: ${error instanceof Error ? error.message : String(error)}`;
    renders[name] = [{ slot: '*', context: '*', problem }];
  }
}
writeFileSync(resultFile, JSON.stringify({ facts, renders } satisfies HostResult));
// Timers that a release left running must not delay the report.
process.exit(0);
