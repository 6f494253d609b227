/** ms; the page waits so long for the parts that it can do without. */
const LATE_MS = 400;

/** The response, or `fallback` when the call fails or is late; the gateway logs why. */
export async function orElse<T, E>(response: Promise<T>, fallback: E): Promise<T | E> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<E>((resolve) => {
    timer = setTimeout(resolve, LATE_MS, fallback);
  });
  try {
    return await Promise.race([response, timeout]);
  } catch {
    return fallback;
  } finally {
    clearTimeout(timer);
  }
}
