/**
 * Modules of which a page may hold one instance only, and the search's: its
 * addresses and filters must be read alike by all, and nearly every remote needs
 * most of it. Sharing anything else defeats tree shaking: the other pure modules
 * are bundled into each remote instead (ADR 2).
 */
export const SHARED_MODULES = [
  'react',
  'react/jsx-runtime',
  'react-dom',
  'react-dom/client',
  'react-redux',
  '@forecourt/shared-contracts/search',
  '@forecourt/shared-contracts/slots',
  '@forecourt/shared-contracts/store',
  '@forecourt/shared-contracts/ui',
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
