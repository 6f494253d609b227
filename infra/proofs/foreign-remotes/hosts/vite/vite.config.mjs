import { federation } from '@module-federation/vite';
import { defineConfig } from 'vite';

const modules = [
  ...['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client', 'react-redux'],
  ...['@forecourt/slots', '@forecourt/slots/ui'],
  ...['catalog', 'criteria', 'query', 'state', 'url'].map((name) => `@forecourt/search/${name}`),
];

export default defineConfig({
  plugins: [
    federation({
      name: 'plain_vite_host',
      dts: false,
      shared: Object.fromEntries(modules.map((module) => [module, { singleton: true }])),
    }),
  ],
  base: './',
  build: { outDir: 'dist', target: 'es2022' },
});
