import { createRoot } from 'react-dom/client';
import scenarios from 'remote/scenarios';
import { Workshop } from './Workshop.tsx';

// A reload keeps the URL, and so the scenario.
followRebuilds();
const place = document.getElementById('workshop');
if (!place) throw new Error('the page has no element #workshop');
// Data that one scenario stored in the browser must not affect the next.
sessionStorage.clear();
localStorage.clear();
const query = new URLSearchParams(location.search);
const scenario = scenarios.find(({ name }) => name === query.get('scenario')) ?? scenarios[0];
createRoot(place).render(<Workshop scenarios={scenarios} scenario={scenario} query={query} />);

/** Reloads the page after each rebuild. */
export function followRebuilds(): void {
  const builds = new EventSource('/builds');
  let current: string | undefined;
  builds.addEventListener('build', (event: MessageEvent<string>) => {
    if (current !== undefined && current !== event.data) location.reload();
    current = event.data;
  });
}
