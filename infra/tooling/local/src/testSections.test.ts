import { describe, expect, it } from '@jest/globals';
import { type Section, type SectionResult, runSections } from './testSections.ts';

const section = (name: string, result: SectionResult | Error, text = ''): Section => ({
  name,
  run({ print }) {
    print?.(text);
    return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
  },
});
const CLEAN = { passed: 2, failed: 0 };

async function run(stages: Section[][][], neededBy: Record<string, string[]> = {}) {
  let output = '';
  const result = await runSections(stages, {
    signal: new AbortController().signal,
    write: (text) => {
      output += text;
    },
    neededBy,
  });
  return { result, output: output.replaceAll(/\d+\.\d s/g, 'n s') };
}

describe('runSections', () => {
  it('prints the totals of all results in a summary', async () => {
    const { result, output } = await run([
      [[section('lint', { passed: 0, failed: 0 })]],
      [[section('unit', CLEAN)]],
    ]);
    expect(result).toEqual({ passed: 2, failed: 0 });
    expect(output).toMatch(
      /summary \(n s\)\n✔ lint \(n s\)\n✔ unit \(n s, 2 passed, 0 failed\)\n2 passed, 0 failed\n$/,
    );
  });

  it('skips only the sections that depend on a failed one', async () => {
    const stages = [
      [[section('build', new Error('no webpack'))]],
      [[section('e2e', CLEAN)]],
      [[section('spec', CLEAN)]],
    ];
    const { result, output } = await run(stages, { e2e: ['build'] });
    expect(result).toEqual({ passed: 2, failed: 2 });
    expect(output).toContain('no webpack\n');
    expect(output).toContain('not run, because build failed');
    expect(output).toContain('✔ spec');
  });

  it('prints the output of parallel sections sequentially', async () => {
    const { output } = await run([
      [[section('one', CLEAN, 'I am one\n')], [section('two', CLEAN, 'I am two\n')]],
    ]);
    expect(output).toContain('━━ one\nI am one\n✔ one');
    expect(output).toContain('━━ two\nI am two\n✔ two');
  });

  it('rejects when it is stopped', async () => {
    const stopping = new AbortController();
    const stopped: Section = {
      name: 'unit',
      run() {
        stopping.abort();
        return Promise.reject(new Error('stopped'));
      },
    };
    const running = runSections([[[stopped]], [[section('e2e', CLEAN)]]], {
      signal: stopping.signal,
      write: () => {},
      neededBy: {},
    });
    await expect(running).rejects.toThrow('stopped');
  });
});
