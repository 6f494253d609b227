import { describe, expect, it } from '@jest/globals';
import { unwiredFields } from './unwiredFields.ts';

const TYPE =
  'export interface Options {\n  readonly page: number;\n  readonly hasExtraRecord?: boolean;\n}\n';
const READ = 'export const queryOf = ({ page, hasExtraRecord }: Options) => [page, hasExtraRecord];';
const found = (files: Readonly<Record<string, string>>) =>
  unwiredFields(new Map(Object.entries(files)), new Set(['perMinute']));

describe('fields that only tests use', () => {
  it.each([
    ['an option that nothing sets', { 'mfe-a/src/a.ts': TYPE + READ }, 'sets hasExtraRecord'],
    [
      'a field that nothing reads',
      {
        'shared-contracts/a/src/a.ts': `${TYPE}export const options = { page: 1, hasExtraRecord: true };\noptions.page;`,
      },
      'reads hasExtraRecord',
    ],
    [
      'a field that is only declared',
      { 'mfe-a/src/a.ts': `${TYPE}({ page: 1 }).page;` },
      'sets or reads hasExtraRecord',
    ],
  ])('are found: %s', (_, files, problem) => {
    expect(found(files)).toEqual([
      expect.stringMatching(new RegExp(`:3: no file of the product ${problem}$`)),
    ]);
  });

  it.each([
    ['by a literal', 'send({ page: 1, hasExtraRecord: true });'],
    ['by a shorthand', 'send({ page, hasExtraRecord });'],
    ['by an assignment', 'options.hasExtraRecord = true;'],
    ['by a condition', 'send({ page: 1, ...(isOn && { hasExtraRecord: true }) });'],
    ['by an attribute', 'render(<Slot hasExtraRecord />);'],
    ['by its name in a list', "const NAMES = ['hasExtraRecord'];"],
  ])('are not those that another file sets %s', (_, source) => {
    expect(found({ 'mfe-a/src/a.ts': TYPE + READ, 'shell/src/b.tsx': source })).toEqual([]);
  });

  it('are not looked for in tools and the engine, nor among those that others use', () => {
    expect(found({ 'infra/tooling/cli/src/a.ts': TYPE, 'shell/src/engine/a.ts': TYPE })).toEqual([]);
    expect(found({ 'mfe-a/src/a.ts': 'interface Limits { readonly perMinute?: number }' })).toEqual([]);
  });
});
