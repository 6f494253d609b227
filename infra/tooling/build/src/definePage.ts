import { basename, join } from 'node:path';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import type { Configuration } from 'webpack';
import { commonConfiguration, minimizeStyles } from './rules.ts';

/** webpack configuration of a service's own page: `src/page/main.tsx` with the design tokens, into `dist/`. */
export const definePage = (directory: string): Configuration[] => [
  {
    ...commonConfiguration('web', directory),
    name: `page of ${basename(directory)}`,
    target: 'web',
    devtool: false,
    entry: {
      page: ['@forecourt/shared-contracts/ui/tokens.css', join(directory, 'src/page/main.tsx')],
    },
    output: { path: join(directory, 'dist'), clean: true, filename: '[name].[contenthash:12].js' },
    optimization: { minimizer: ['...', minimizeStyles()] },
    plugins: [new MiniCssExtractPlugin({ filename: '[name].[contenthash:12].css' })],
  },
];
