/** Computes a value once for each key. */
export function oncePer<K, V>(compute: (key: K) => V): (key: K) => V {
  const values = new Map<K, V>();
  return (key) => {
    let value = values.get(key);
    if (value === undefined && !values.has(key)) values.set(key, (value = compute(key)));
    return value!;
  };
}
