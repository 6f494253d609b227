/** The paths of searches as the composed page normalizes them. Redirects name them: nothing is searched, so that no cache has a page. */
export async function normalizedPaths(origin: string, queries: readonly string[]): Promise<string[]> {
  const paths: string[] = [];
  for (const query of queries) {
    const given = `/cars-for-sale/all-cars?${query}`;
    const response = await fetch(origin + given, { redirect: 'manual' });
    await response.arrayBuffer();
    paths.push(response.headers.get('location') ?? given);
  }
  return paths;
}
