import type { Lane, Section, SectionResult, Stage } from './testSections.ts';

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly write: (text: string) => void;
  /** Section to those that must be well before it runs. */
  readonly neededBy: Readonly<Record<string, readonly string[]>>;
}

const secondsSince = (started: number): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Runs stages one after the other, the lanes of a stage side by side, and says
 * at the end how each section went. A section that fails ends none but those
 * which need it. Throws only what a section throws when the run is stopped.
 */
export async function runSections(stages: readonly Stage[], options: RunOptions): Promise<SectionResult> {
  const { signal, write, neededBy } = options;
  const begun = performance.now();
  const summary: string[] = [];
  const broken = new Set<string>();
  let [passed, failed] = [0, 0];

  /** What a section found, and what it said of itself. */
  async function outcomeOf({ name, run }: Section, print: ((text: string) => void) | undefined) {
    const missing = neededBy[name]?.find((needed) => broken.has(needed));
    const nothing = { passed: 0, failed: 1 };
    if (missing !== undefined) return { ...nothing, note: `not run, because ${missing} failed\n` };
    try {
      return { ...(await run({ signal, print })), note: '' };
    } catch (error) {
      if (signal.aborted) throw error;
      return { ...nothing, note: `${messageOf(error)}\n` };
    }
  }

  /** `hasTerminal`: what it says comes at once; else in one piece at its end, since others speak meanwhile. */
  async function runSection(section: Section, hasTerminal: boolean): Promise<void> {
    const said: string[] = [];
    const say = hasTerminal ? write : (text: string) => void said.push(text);
    const started = performance.now();
    say(`\n━━ ${section.name}\n`);
    const { note, ...result } = await outcomeOf(section, hasTerminal ? undefined : say);
    say(note);
    passed += result.passed;
    failed += result.failed;
    if (result.failed > 0) broken.add(section.name);
    const counts = result.passed > 0 ? `, ${result.passed} passed, ${result.failed} failed` : '';
    const mark = result.failed > 0 ? '✖' : '✔';
    const line = `${mark} ${section.name} (${secondsSince(started)}${counts})\n`;
    summary.push(line);
    write(said.join('') + line);
  }

  async function runLane(lane: Lane, hasTerminal: boolean): Promise<void> {
    for (const section of lane) await runSection(section, hasTerminal);
  }

  for (const stage of stages) await Promise.all(stage.map((lane) => runLane(lane, stage.length === 1)));
  write(`\n━━ summary (${secondsSince(begun)})\n${summary.join('')}${passed} passed, ${failed} failed\n`);
  return { passed, failed };
}
