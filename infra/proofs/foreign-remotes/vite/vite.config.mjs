import { federation } from '@module-federation/vite';
import { defineConfig } from 'vite';

/** Of the page's one instance, and of no copy of this remote's own. */
const shared = (modules, requiredVersion) =>
  Object.fromEntries(modules.map((module) => [module, { singleton: true, import: false, requiredVersion }]));

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    federation({
      name: 'mfe_filters',
      filename: 'remoteEntry.js',
      exposes: {
        './filters': './src/slots/filters.tsx',
        './toolbar': './src/slots/toolbar.tsx',
        './location-editor': './src/slots/location-editor.tsx',
      },
      shared: {
        ...shared(['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client'], '^19.3.1'),
        ...shared(['react-redux'], '^9.3.1'),
        ...shared(['@forecourt/slots', '@forecourt/slots/ui'], '^1.0.0'),
      },
      manifest: true,
      dts: false,
    }),
  ],
  base: './',
  build: {
    outDir: isSsrBuild ? 'dist/node' : 'dist/web',
    target: 'es2022',
    ssr: isSsrBuild,
    rolldownOptions: { input: 'src/slots/filters.tsx' },
  },
  // The shell gives a release only what is shared; all else is in its files.
  ssr: { noExternal: true },
  // The last three letters are those that `forecourt pack` names for this remote.
  css: { modules: { generateScopedName: '[local]_[hash:base64:5]VHJ' } },
}));
