import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';

const modules = [
  ...['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client', 'react-redux'],
  ...['@forecourt/slots', '@forecourt/slots/ui'],
  ...['catalog', 'criteria', 'query', 'state', 'url'].map((name) => `@forecourt/search/${name}`),
];

export default {
  mode: 'production',
  target: 'web',
  entry: './src/main.mjs',
  output: { path: `${import.meta.dirname}/dist`, filename: 'main.js', publicPath: 'auto' },
  resolve: { conditionNames: ['es2015', '...'] },
  module: {
    rules: [
      {
        test: /\.css$/,
        use: [
          'style-loader',
          { loader: 'css-loader', options: { modules: { auto: /\.module\.css$/, namedExport: false } } },
        ],
      },
    ],
  },
  plugins: [
    new ModuleFederationPlugin({
      name: 'plain_host',
      dts: false,
      shared: Object.fromEntries(modules.map((module) => [module, { singleton: true }])),
    }),
  ],
};
