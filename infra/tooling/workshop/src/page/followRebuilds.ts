/** Loads the page anew whenever the server has built it anew. */
export function followRebuilds(): void {
  const builds = new EventSource('/builds');
  let current: string | undefined;
  builds.addEventListener('build', (event: MessageEvent<string>) => {
    if (current !== undefined && current !== event.data) location.reload();
    current = event.data;
  });
}
