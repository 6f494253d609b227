import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { configurationTable, withTable } from './configurationTables.ts';

const KEYS = {
  HOST: z.string().default('127.0.0.1').describe('address to listen on'),
  PORT: z.coerce.number().default(3000).describe('port'),
  ORIGINS: z.array(z.string()).default(['a', 'b']).describe('origins'),
  FOLDER: z.string().default('/x').meta({ description: 'folder', default: 'beside it' }),
  TOKEN: z.string().optional().describe('token'),
};
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
});
