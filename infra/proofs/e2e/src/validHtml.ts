import assert from 'node:assert/strict';
import { HtmlValidate } from 'html-validate';

/** Fails with each kind of problem that html-validate finds in a page as the server sends it. */
export async function expectValidHtml(html: string): Promise<void> {
  const validator = new HtmlValidate({
    extends: ['html-validate:standard', 'html-validate:a11y'],
    rules: {
      // React writes void elements, boolean attributes and attribute names its own, equally valid way.
      'void-style': 'off',
      'attribute-boolean-style': 'off',
      'attribute-empty-style': 'off',
      'attr-case': 'off',
      'no-trailing-whitespace': 'off',
      'no-inline-style': 'off',
      'doctype-style': 'off',
      'long-title': 'off',
      // Names come from the visible text plus hidden words, which the rule does not see.
      'text-content': 'off',
      // Every file of a release has its integrity; what the page inlines has a nonce instead.
      'require-sri': ['error', { target: 'all' }],
      'no-redundant-role': 'error',
      // The grid's rows stand in segments between the list and its items, where ul and li allow nothing.
      'prefer-native-element': ['error', { exclude: ['list', 'listitem'] }],
    },
  });
  const { results } = await validator.validateString(html);
  const problems = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector ?? '?'}`),
  );
  const kinds = new Map<string, string>();
  for (const problem of problems) kinds.set(problem.split(' at ')[0] as string, problem);
  assert.equal(problems.length, 0, `${problems.length} problems:\n${[...kinds.values()].join('\n')}`);
}
