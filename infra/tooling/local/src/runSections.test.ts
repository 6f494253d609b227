import { describe, expect, it } from '@jest/globals';
import { runSections } from './runSections.ts';
import type { Section, SectionResult } from './testSections.ts';

const section = (name: string, result: SectionResult | Error, says = ''): Section => ({
  name,
  run({ print }) {
    print?.(says);
    return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
  },
});
const CLEAN = { passed: 2, failed: 0 };

async function run(stages: Section[][][], neededBy: Record<string, string[]> = {}) {
  let said = '';
  const result = await runSections(stages, {
    signal: new AbortController().signal,
    write: (text) => {
      said += text;
    },
    neededBy,
  });
  return { result, said: said.replaceAll(/\d+\.\d s/g, 'n s') };
}

describe('runSections', () => {
  it('adds up what the sections found and says it again at the end', async () => {
    const { result, said } = await run([
      [[section('lint', { passed: 0, failed: 0 })]],
      [[section('unit', CLEAN)]],
    ]);
    expect(result).toEqual({ passed: 2, failed: 0 });
    expect(said).toMatch(
      /summary \(n s\)\n✔ lint \(n s\)\n✔ unit \(n s, 2 passed, 0 failed\)\n2 passed, 0 failed\n$/,
    );
  });

  it('goes on after a failure, but not with what needs the failed section', async () => {
    const stages = [
      [[section('build', new Error('no webpack'))]],
      [[section('e2e', CLEAN)]],
      [[section('spec', CLEAN)]],
    ];
    const { result, said } = await run(stages, { e2e: ['build'] });
    expect(result).toEqual({ passed: 2, failed: 2 });
    expect(said).toContain('no webpack\n');
    expect(said).toContain('not run, because build failed');
    expect(said).toContain('✔ spec');
  });

  it('keeps together what each of two sections says that run side by side', async () => {
    const { said } = await run([
      [[section('one', CLEAN, 'I am one\n')], [section('two', CLEAN, 'I am two\n')]],
    ]);
    expect(said).toContain('━━ one\nI am one\n✔ one');
    expect(said).toContain('━━ two\nI am two\n✔ two');
  });

  it('ends at once when it is stopped', async () => {
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
