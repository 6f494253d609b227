import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';

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

const common = (styles) => ({
  mode: 'production',
  entry: {},
  resolve: { extensions: ['.ts', '.tsx', '.js'] },
  module: {
    rules: [
      {
        test: /\.tsx?$/,
        loader: 'swc-loader',
        options: {
          jsc: {
            parser: { syntax: 'typescript', tsx: true },
            transform: { react: { runtime: 'automatic' } },
          },
        },
      },
      {
        test: /\.module\.css$/,
        use: [
          ...styles.map((loader) => ({ loader })),
          {
            loader: 'css-loader',
            options: {
              modules: {
                // The last three letters are those that `forecourt pack` names for this remote.
                localIdentName: '[local]_[hash:base64:5]VHJ',
                namedExport: false,
                exportOnlyLocals: styles.length === 0,
              },
            },
          },
        ],
      },
    ],
  },
});

export default [
  {
    ...common([MiniCssExtractPlugin.loader]),
    name: 'web',
    target: 'web',
    output: { path: `${import.meta.dirname}/dist/web`, publicPath: 'auto', uniqueName: 'mfe-filters' },
    plugins: [
      federation({ filename: 'remoteEntry.js', library: { type: 'var', name: 'mfe_filters' } }),
      new MiniCssExtractPlugin({ filename: '[name].css', chunkFilename: '[id].css', runtime: false }),
    ],
  },
  {
    ...common([]),
    name: 'node',
    target: 'node',
    output: { path: `${import.meta.dirname}/dist/node`, publicPath: '', uniqueName: 'mfe-filters' },
    optimization: { minimize: false },
    plugins: [federation({ filename: 'remoteEntry.cjs', library: { type: 'commonjs-module' } })],
  },
];
