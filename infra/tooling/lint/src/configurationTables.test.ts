import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { CONFIGURED, configurationTable, readReadme, withTable } from './configurationTables.ts';

const KEYS = {
  HOST: z.string().default('127.0.0.1').describe('address to listen on'),
  PORT: z.coerce.number().default(3000).describe('port'),
  ORIGINS: z.array(z.string()).default(['a', 'b']).describe('origins'),
  FOLDER: z.string().default('/x').meta({ description: 'folder', default: 'beside it' }),
  TOKEN: z.string().optional().describe('token'),
};
/** Keys of all services: an operator reads them all, so that another one replaces one, or joins a family. */
const MAX_KEYS = 60;
const README = '# A\n\n<!-- configuration:start -->\n\nold\n\n<!-- configuration:end -->\n\nEnd.\n';

describe('the table of a configuration', () => {
  it('has every key with its default and meaning, also behind refinements and transforms', () => {
    const schema = z
      .object(KEYS)
      .refine(() => true)
      .transform((config) => ({ ...config, more: 1 }));
    expect(
      configurationTable(schema)
        .split('\n')
        .map((line) => line.replaceAll(/ +/g, ' ')),
    ).toEqual([
      '| key | default | meaning |',
      expect.stringMatching(/^\| -+ \| -+ \| -+ \|$/),
      '| `HOST` | `127.0.0.1` | address to listen on |',
      '| `PORT` | `3000` | port |',
      '| `ORIGINS` | `a,b` | origins |',
      '| `FOLDER` | beside it | folder |',
      '| `TOKEN` | | token |',
    ]);
  });

  it('rejects a key without a meaning', () => {
    expect(() => configurationTable(z.object({ HOST: z.string() }))).toThrow('HOST has no description');
  });

  it('replaces what a README has between its marks', () => {
    expect(withTable(README, 'new $1')).toBe(README.replace('old', 'new $1'));
    expect(withTable('# B\n', 'new')).toBe('# B\n');
  });

  it('is current in the README of every service, and all have sixty keys at most', async () => {
    const keys = new Set<string>();
    for (const configured of CONFIGURED) {
      const readme = await readReadme(configured);
      expect(readme.text).toBe(readme.current);
      for (const key of readme.keys) keys.add(key);
    }
    expect([...keys].slice(MAX_KEYS)).toEqual([]);
    expect(keys).toContain('RELEASE_ISOLATION');
  });
});
