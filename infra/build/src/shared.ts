/**
 * Modules of which a page may hold one instance only. Sharing anything else
 * defeats tree shaking: pure modules are bundled into each remote instead.
 */
export const SHARED_MODULES = [
  'react',
  'react/jsx-runtime',
  'react-dom',
  'react-dom/client',
  'react-redux',
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
