import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack';

/** Of the page's one instance, and of no copy of this remote's own. */
const shared = (modules, requiredVersion) =>
  Object.fromEntries(modules.map((module) => [module, { singleton: true, import: false, requiredVersion }]));

const federation = (options) =>
  new ModuleFederationPlugin({
    name: 'mfe_filters',
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
    ...options,
  });

const common = (exportsOnly) => ({
  mode: 'production',
  entry: {},
  resolve: { extensions: ['.ts', '.tsx', '.js'] },
  module: {
    parser: { 'css/module': { namedExports: false } },
    generator: {
      // The last three letters are those that `forecourt pack` names for this remote.
      'css/module': { localIdentName: '[local]_[hash:5]VHJ', exportsOnly },
    },
    rules: [
      {
        test: /\.tsx?$/,
        loader: 'builtin:swc-loader',
        options: {
          jsc: {
            parser: { syntax: 'typescript', tsx: true },
            transform: { react: { runtime: 'automatic' } },
          },
        },
      },
      { test: /\.module\.css$/, type: 'css/module' },
    ],
  },
});

export default [
  {
    ...common(false),
    name: 'web',
    target: 'web',
    output: { path: `${import.meta.dirname}/dist/web`, publicPath: 'auto', uniqueName: 'mfe-filters' },
    plugins: [federation({ filename: 'remoteEntry.js', library: { type: 'var', name: 'mfe_filters' } })],
  },
  {
    ...common(true),
    name: 'node',
    target: 'node',
    output: { path: `${import.meta.dirname}/dist/node`, publicPath: '', uniqueName: 'mfe-filters' },
    optimization: { minimize: false },
    plugins: [federation({ filename: 'remoteEntry.cjs', library: { type: 'commonjs-module' } })],
  },
];
