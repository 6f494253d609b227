import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Listr } from 'listr2';
import { ensureSandbox } from '../systemPackages.ts';
import { buildAll } from '../buildAll.ts';
import { type Cluster, planCluster, REPLICAS } from '../cluster.ts';
import { type LocalConfig, readConfig, type ServiceName, portsOf } from '../config.ts';
import { describeFailure, LocalError } from '../repository.ts';
import { planStack, type RunningStack, type StackPlan } from '../stack.ts';
import { onStopRequest } from '../runTool.ts';

const PROGRESS_LOG_MS = 2000;
const stopping = new AbortController();
let isStopRequested = false;
/** The first failure of a step; it stops the parallel steps. */
let failure: unknown;

/** Shows only the error code of a failed step; the message is printed once, at the end. */
async function step<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    failure ??= error;
    stopping.abort();
    throw new Error(error instanceof LocalError ? error.code : 'failed', { cause: error });
  }
}

/** Shows the progress of a task: in its title on a terminal, else as separate lines. */
function show(task: { title: string; output: string }, step: string, state: string): void {
  if (process.stdout.isTTY) task.title = `${step}: ${state}`;
  else task.output = state;
}

/** The steps of `npm start`; builds and inventory run in parallel. */
function startTasks(plan: StackPlan<RunningStack>, onStack: (stack: RunningStack) => void) {
  let shownAt = 0;
  /** A terminal updates in place; a log gets a line every two seconds. */
  const hasWaited = () => {
    if (!process.stdout.isTTY && Date.now() - shownAt < PROGRESS_LOG_MS) return false;
    shownAt = Date.now();
    return true;
  };
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  return new Listr(
    [
      ...(plan.startEngines
        ? [{ title: 'Start PostgreSQL and OpenSearch', task: () => step(plan.startEngines!()) }]
        : []),
      {
        title: 'Prepare',
        task: (_context, parent) =>
          parent.newListr(
            [
              {
                title: 'Build the shell and the remotes',
                task: (_inner, task) =>
                  step(
                    buildAll({
                      signal: stopping.signal,
                      onPackage: (name, done, total) => {
                        show(task, 'Build the shell and the remotes', `${done} of ${total} (${name})`);
                      },
                    }),
                  ),
              },
              {
                title: 'Generate the inventory',
                task: (_inner, task) =>
                  step(
                    plan.fill((share) => {
                      if (!hasWaited()) return;
                      show(task, 'Generate the inventory', percent(share));
                    }),
                  ),
              },
            ],
            { concurrent: true, exitOnError: true },
          ),
      },
      {
        title: 'Publish the remotes',
        task: async (_context, task) => {
          const builds = await step(
            plan.publish((_build, done, total) => {
              show(task, 'Publish the remotes', `${done} of ${total}`);
            }),
          );
          const promoted = builds.filter(({ live, built }) => live !== built);
          if (promoted.length > 0)
            task.title += `; still live: ${promoted.map(({ name, live }) => `${name}@${live}`).join(', ')}`;
        },
      },
      {
        title: 'Start the services',
        task: async (_context, task) => {
          const ready: string[] = [];
          onStack(
            await step(
              plan.start((name) => {
                ready.push(name);
                show(task, 'Start the services', `${ready.join(', ')} ready`);
              }),
            ),
          );
        },
      },
    ],
    {
      registerSignalListeners: false,
      rendererOptions: { collapseSubtasks: false },
      fallbackRenderer: 'simple',
    },
  );
}

/** What the configuration says about both forms of the stack. */
const optionsOf = (config: LocalConfig) => ({
  dataDir: config.DATA_DIR,
  issuer: config.OIDC_ISSUER,
  signal: stopping.signal,
  ports: portsOf(config),
});

/** Several replicas of each service; their data is deleted at the next start. */
const planReplicas = (config: LocalConfig) =>
  planCluster({
    ...optionsOf(config),
    dataDir: join(config.DATA_DIR, 'cluster'),
    // The default of single services is more than two inventories need to show.
    ...(process.env['INVENTORY_SIZE'] && { inventorySize: config.INVENTORY_SIZE }),
    onRestart: (line) => process.stdout.write(`${line}\n`),
  });

const isCluster = (stack: RunningStack): stack is Cluster => 'replicas' in stack;

function describeCluster({ postgres, bucket, search }: Cluster): string {
  const counts = (Object.keys(REPLICAS) as ServiceName[]).map((name) => `${REPLICAS[name]} ${name}`);
  return [
    `Replicas behind nginx: ${counts.join(', ')}. One that ends is started again.`,
    `PostgreSQL: ${postgres.url}, deleted when it stops`,
    `Bucket: ${bucket.url}, of photos and dealers' pages`,
    search
      ? `OpenSearch: ${search.url}, one index for all APIs`
      : 'OpenSearch: not started, because Java or Maven is not installed; each API searches in its own memory (apt-get install default-jdk-headless maven)',
    '',
  ].join('\n');
}

async function run(
  config: LocalConfig,
  { cluster: hasReplicas }: { readonly cluster: boolean },
): Promise<number> {
  process.stdout.write(`${await ensureSandbox()}\n`);
  const plan: StackPlan<RunningStack> = hasReplicas
    ? await planReplicas(config)
    : await planStack({ ...optionsOf(config), inventorySize: config.INVENTORY_SIZE });
  let stack: RunningStack | undefined;
  try {
    await startTasks(plan, (started) => {
      stack = started;
    }).run();
  } catch (error) {
    await plan.abandon();
    throw failure ?? error;
  }
  if (!stack) throw new LocalError('STOPPED', 'Stopped.');
  const stopRequested = new Promise<undefined>((resolve) =>
    stopping.signal.aborted
      ? resolve(undefined)
      : stopping.signal.addEventListener('abort', () => resolve(undefined), { once: true }),
  );
  process.stdout.write(
    `\nForecourt is running at ${stack.urls.shell}/cars-for-sale/all-cars\n${isCluster(stack) ? describeCluster(stack) : ''}Control room: ${stack.urls['remote-registry']}/room\nLogs: ${stack.dataDir}/logs. Press Ctrl-C to stop.\n`,
  );
  const death = await Promise.race([stack.failed, stopRequested]);
  if (death) process.stderr.write(`\n${death.message}\n`);
  else process.stdout.write('\nStopping …\n');
  await stack.stop();
  return death ? 1 : 0;
}

onStopRequest(() => {
  isStopRequested = true;
  stopping.abort();
});
try {
  const { values } = parseArgs({
    options: {
      cluster: { type: 'boolean', default: false },
    },
  });
  process.exitCode = await run(readConfig(process.env), values);
} catch (error) {
  if (isStopRequested) process.exitCode = 0;
  else {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = 1;
  }
}
// The IPC channel and signal listeners would keep the process alive.
process.exit();
