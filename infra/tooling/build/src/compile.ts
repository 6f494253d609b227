import webpack, { type Configuration } from 'webpack';

/** Runs webpack and returns its statistics. Rejects with all build errors in one message. */
export async function compile(configurations: Configuration[]): Promise<webpack.MultiStats> {
  const compiler = webpack(configurations);
  if (!compiler) throw new Error('webpack returned no compiler');
  const stats = await new Promise<webpack.MultiStats>((resolve, reject) => {
    compiler.run((error, result) =>
      error || !result ? reject(error ?? new Error('no result')) : resolve(result),
    );
  });
  await new Promise<void>((resolve, reject) =>
    compiler.close((error) => (error ? reject(error) : resolve())),
  );
  if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true, colors: false }));
  return stats;
}
