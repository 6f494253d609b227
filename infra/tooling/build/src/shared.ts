/**
 * Modules that must be singletons on a page, and the search modules (catalog,
 * criteria, query, url), which nearly every remote needs in full. Sharing more
 * would defeat tree shaking: other pure modules are bundled into each remote (ADR 2).
 */
export const SHARED_MODULES = [
  'react',
  'react/jsx-runtime',
  'react-dom',
  'react-dom/client',
  'react-redux',
  '@forecourt/shared-contracts/catalog',
  '@forecourt/shared-contracts/criteria',
  '@forecourt/shared-contracts/query',
  '@forecourt/shared-contracts/slots',
  '@forecourt/shared-contracts/store',
  '@forecourt/shared-contracts/ui',
  '@forecourt/shared-contracts/url',
] as const;

export type SharedModule = (typeof SHARED_MODULES)[number];

/** 'react-dom/client' → 'react-dom', '@forecourt/shared-contracts/ui' → '@forecourt/shared-contracts'. */
export const packageOf = (module: string): string =>
  module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');

/** Name of a remote's container: a JavaScript identifier, since it becomes a global. */
export const containerName = (remote: string): string => remote.replaceAll('-', '_');
