import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildAll } from '@forecourt/local';
import { describeMachine, loadAverage } from '@forecourt/harness/machine';
import { markdownTable } from '@forecourt/harness/markdown';
import { memoryMiB, processTree } from '@forecourt/harness/processes';
import { median, quantile } from '@forecourt/harness/statistics';
import { writeResults } from './report.ts';
import { type Measurement, runMeasurement } from './runMeasurement.ts';
import { type Mix, type MixResult, startMix, VISITORS } from './visitorMix.ts';

// What grows with the site: listings and visitors ten times as many, and memory after half an hour of visitors.

const LISTINGS = 100_000;
const TIMES = 10;
const WARM_UP_SECONDS = 60;
const LOAD_SECONDS = 60;
/** Of the last third of the time over the first one; what the heap has not collected yet makes up a few percent. */
const MAX_MEMORY_GROWTH = 0.1;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
const minutes = Number(values.minutes);
if (!(minutes >= 3)) throw new RangeError('--minutes must be at least 3');
/** What the rest takes at most, with the start of two sites. */
const OTHER_MINUTES = 30;

const COLUMNS = [
  'Site',
  'Pages per second',
  'CPU per page, ms',
  'p50, ms',
  'p99, ms',
  'Refused',
  'Shell and releases, MiB',
  'API, MiB',
];

/** MiB of the shell with its releases' processes, and of the API; pages that processes share count once. */
const memoryOf = ({ shell, api }: Mix) => ({
  shell: processTree(shell).reduce((sum, pid) => sum + memoryMiB(pid), 0),
  api: memoryMiB(api),
});

function rowOf(name: string, { perSecond, cpuMs, durations, refused }: MixResult, mix: Mix): string[] {
  const memory = memoryOf(mix);
  return [
    name,
    perSecond.toFixed(0),
    cpuMs.toFixed(1),
    quantile(durations, 0.5).toFixed(0),
    quantile(durations, 0.99).toFixed(0),
    `${((100 * refused) / (refused + durations.length)).toFixed(1)} %`,
    memory.shell.toFixed(0),
    memory.api.toFixed(0),
  ];
}

interface MemorySample {
  readonly minute: number;
  readonly shell: number;
  readonly api: number;
}

/** Memory after each minute of the mix. */
async function watchMemory(mix: Mix, onStep: Measurement['onStep']): Promise<readonly MemorySample[]> {
  const samples: MemorySample[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    await mix.load(60);
    samples.push({ minute, ...memoryOf(mix) });
    if (minute % 5 === 0) onStep(`memory after ${minute} min`);
  }
  return samples;
}

/** Growth from the first to the last third, as a share. */
function growthOf(samples: readonly MemorySample[], of: 'shell' | 'api'): number {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const middleOf = (part: readonly MemorySample[]) => median(part.map((sample) => sample[of]));
  return middleOf(samples.slice(-third)) / middleOf(samples.slice(0, third)) - 1;
}

function memoryTable(samples: readonly MemorySample[]): string {
  const rows = samples
    .filter(({ minute }) => minute === 1 || minute % 5 === 0)
    .map(({ minute, shell, api }) => [String(minute), shell.toFixed(0), api.toFixed(0)]);
  return markdownTable(['Minute', 'Shell and releases, MiB', 'API, MiB'], rows);
}

async function measureGrowth({ onStart, onStep }: Measurement): Promise<void> {
  onStep('building stale packages');
  await buildAll();
  const loadBefore = loadAverage();
  const rows: string[][] = [];
  onStep(`${LISTINGS} listings`);
  const mix = await startMix(LISTINGS, {}, onStart);
  await mix.load(WARM_UP_SECONDS);
  rows.push(rowOf('as measured', await mix.load(LOAD_SECONDS), mix));
  onStep(`visitors × ${TIMES}`);
  rows.push(rowOf(`visitors × ${TIMES}`, await mix.load(LOAD_SECONDS, VISITORS * TIMES), mix));
  // Its queue is empty again.
  await wait(5_000);
  rows.push(rowOf('the same visitors as before', await mix.load(LOAD_SECONDS), mix));
  onStep(`${minutes} minutes of the mix`);
  const samples = await watchMemory(mix, onStep);
  await mix.stop();
  onStep(`listings × ${TIMES}`);
  const large = await startMix(LISTINGS * TIMES, {}, onStart);
  await large.load(WARM_UP_SECONDS);
  rows.push(rowOf(`listings × ${TIMES}`, await large.load(LOAD_SECONDS), large));
  await large.stop();
  const growth = { shell: growthOf(samples, 'shell'), api: growthOf(samples, 'api') };
  const inPercent = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)} %`;
  const isFlat = Math.max(growth.shell, growth.api) <= MAX_MEMORY_GROWTH;
  writeResults(
    'Growth',
    [
      `Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench:growth\`: ${describeMachine()}; load average ${loadBefore} before, ${loadAverage()} after. The mix of visitors above with the caches of production, ${VISITORS} at a time, over ${LISTINGS.toLocaleString('en')} listings; a visitor whom a busy shell refuses (status 503) tries again after a quarter of a second. Visitors, shell and API share the cores.`,
      markdownTable(COLUMNS, rows),
      `Memory over ${minutes} minutes of the mix; medians of the last third against the first: shell and releases ${inPercent(growth.shell)}, API ${inPercent(growth.api)} (≤ +${100 * MAX_MEMORY_GROWTH} %, ${isFlat ? 'met' : 'missed'}).`,
      memoryTable(samples),
    ].join('\n\n'),
  );
  if (!isFlat)
    throw new Error(`memory grows: shell ${inPercent(growth.shell)}, API ${inPercent(growth.api)}`);
}

await runMeasurement(measureGrowth, { limitMinutes: minutes + OTHER_MINUTES });
