import js from '@eslint/js';
import boundaries from 'eslint-plugin-boundaries';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * Who may import whom, by package name; a pattern that nothing resolves is
 * refused all the same. `allowed` are packages of this repository.
 */
const onlyPackages = (allowed, message) => [
  'error',
  {
    patterns: [
      {
        // A negative lookahead: whatever of ours is not on the list.
        regex: `^@forecourt/(?!(?:${['$^', ...allowed].join('|')})(?:/|$))`,
        message,
      },
      {
        regex: `^(?:\\.\\./)+(?:shell|shared-contracts|infra|mfe-[a-z0-9-]+)(?:/|$)`,
        message: 'Packages import each other by name, never by a path out of their own folder.',
      },
    ],
  },
];

export default defineConfig(
  globalIgnores([
    '**/node_modules/',
    '**/dist/',
    '**/.data/',
    '**/.cache/',
    '**/coverage/',
    '**/screenshots/',
    'infra/proofs/e2e/fixtures/**/dist/',
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // Typed arrays and answers that a test has just built: the assertion says what the index expression cannot.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Ports promise; an adapter that need not wait still has to answer with a promise.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all', ignoreRestSiblings: true },
      ],
      // Reports casts without which tsc does not compile (generic calls whose result is narrowed).
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
    },
  },
  {
    // Plain JavaScript of the bootstrap and of tool configuration runs on Node, and TypeScript knows its own globals.
    files: ['**/*.{js,mjs,cjs}'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'URL',
          'setInterval',
          'clearInterval',
          'setTimeout',
          'clearTimeout',
          'module',
          'require',
          'window',
        ].map((name) => [name, 'readonly']),
      ),
    },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    files: ['**/*.tsx', 'shell/src/**/*.ts', 'mfe-*/src/**/*.ts', 'shared-contracts/src/**/*.ts'],
    extends: [reactHooks.configs.flat.recommended, jsxA11y.flatConfigs.recommended],
  },
  {
    // Command line programs speak to people on stdout.
    files: ['infra/proofs/spec/*.ts', 'infra/proofs/bench/**/*.ts', 'infra/proofs/e2e/src/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.{ts,tsx,mjs}'],
    // The same components as one bundle: the measure of what composing them costs.
    ignores: ['infra/proofs/bench/src/oneBundle/**'],
    plugins: { boundaries },
    settings: {
      'boundaries/root-path': import.meta.dirname,
      'boundaries/elements': [
        { type: 'remote', pattern: 'mfe-*', capture: ['name'] },
        { type: 'shell', pattern: 'shell' },
        { type: 'contracts', pattern: 'shared-contracts' },
        { type: 'infra', pattern: ['infra/demo-data', 'infra/deploy', 'infra/*/*'], capture: ['name'] },
      ],
      'import/resolver': { typescript: { alwaysTryTypes: true, project: './tsconfig.json' } },
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        {
          default: 'allow',
          policies: [
            {
              from: { element: { type: 'remote' } },
              disallow: [{ to: { element: { type: ['shell', 'infra', 'remote'] } } }],
              message: 'A remote imports libraries and shared-contracts, nothing else of this repository.',
            },
            {
              from: { element: { type: 'remote' } },
              allow: [{ to: { element: { type: 'remote', captured: { name: '{{from.captured.name}}' } } } }],
            },
            {
              from: { element: { type: 'shell' } },
              disallow: [{ to: { element: { type: ['remote', 'infra'] } } }],
              message: 'The shell imports libraries and shared-contracts, nothing else of this repository.',
            },
            {
              from: { element: { type: 'contracts' } },
              disallow: [{ to: { element: { type: ['remote', 'shell', 'infra'] } } }],
              message: 'shared-contracts imports libraries only.',
            },
            {
              from: { element: { type: 'infra' } },
              disallow: [{ to: { element: { type: ['remote', 'shell'] } } }],
              message: 'infra builds, runs and proves the shell and the remotes; it does not import them.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.test.{ts,tsx}'],
    // Tests take answers apart as they come, and hand methods of mocks around.
    rules: {
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // Remotes that are broken on purpose.
    files: ['infra/proofs/e2e/fixtures/**'],
    rules: { 'react-hooks/unsupported-syntax': 'off' },
  },
  {
    files: ['mfe-*/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-imports': onlyPackages(
        ['shared-contracts'],
        'A remote imports libraries and shared-contracts, nothing else of this repository.',
      ),
    },
  },
  {
    files: ['shell/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-imports': onlyPackages(
        ['shared-contracts'],
        'The shell imports libraries and shared-contracts, nothing else of this repository.',
      ),
    },
  },
  {
    files: ['shared-contracts/**/*.{ts,tsx}'],
    rules: { 'no-restricted-imports': onlyPackages([], 'shared-contracts imports libraries only.') },
  },
  {
    files: ['infra/**/*.{ts,tsx}'],
    ignores: ['infra/proofs/bench/src/oneBundle/**'],
    rules: {
      'no-restricted-imports': onlyPackages(
        [
          'shared-contracts',
          'bench',
          'build',
          'cli',
          'demo-data',
          'deploy',
          'durable',
          'e2e',
          'local',
          'remote-registry',
          'marketplace-api',
          'workshop',
        ],
        'infra builds, runs and proves the shell and the remotes; it does not import them.',
      ),
    },
  },
);
