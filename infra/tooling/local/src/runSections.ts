import type { Lane, Section, SectionResult, Stage } from './testSections.ts';

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly write: (text: string) => void;
  /** Sections that must pass before a section runs. */
  readonly neededBy: Readonly<Record<string, readonly string[]>>;
}

const secondsSince = (started: number): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Runs the stages in order and the lanes of a stage in parallel, then prints a summary. A failed section only skips the
 * sections that need it. Rejects only when the run is stopped.
 */
export async function runSections(stages: readonly Stage[], options: RunOptions): Promise<SectionResult> {
  const { signal, write, neededBy } = options;
  const begun = performance.now();
  const summary: string[] = [];
  const broken = new Set<string>();
  let [passed, failed] = [0, 0];

  /** The result of a section, and a note about it. */
  async function outcomeOf({ name, run }: Section, print: ((text: string) => void) | undefined) {
    const missing = neededBy[name]?.find((needed) => broken.has(needed));
    const failure = { passed: 0, failed: 1 };
    if (missing !== undefined) return { ...failure, note: `not run, because ${missing} failed\n` };
    try {
      return { ...(await run({ signal, print })), note: '' };
    } catch (error) {
      if (signal.aborted) throw error;
      return { ...failure, note: `${messageOf(error)}\n` };
    }
  }

  /** `hasTerminal`: prints at once; else all output is printed at the end, because other sections print meanwhile. */
  async function runSection(section: Section, hasTerminal: boolean): Promise<void> {
    const buffered: string[] = [];
    const print = hasTerminal ? write : (text: string) => void buffered.push(text);
    const started = performance.now();
    print(`\n━━ ${section.name}\n`);
    const { note, ...result } = await outcomeOf(section, hasTerminal ? undefined : print);
    print(note);
    passed += result.passed;
    failed += result.failed;
    if (result.failed > 0) broken.add(section.name);
    const counts = result.passed > 0 ? `, ${result.passed} passed, ${result.failed} failed` : '';
    const mark = result.failed > 0 ? '✖' : '✔';
    const line = `${mark} ${section.name} (${secondsSince(started)}${counts})\n`;
    summary.push(line);
    write(buffered.join('') + line);
  }

  async function runLane(lane: Lane, hasTerminal: boolean): Promise<void> {
    for (const section of lane) await runSection(section, hasTerminal);
  }

  for (const stage of stages) await Promise.all(stage.map((lane) => runLane(lane, stage.length === 1)));
  write(`\n━━ summary (${secondsSince(begun)})\n${summary.join('')}${passed} passed, ${failed} failed\n`);
  return { passed, failed };
}
