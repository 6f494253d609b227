import { createRoot } from 'react-dom/client';
import scenarios from 'remote/scenarios';
import { followRebuilds } from './followRebuilds.ts';
import { Workshop } from './Workshop.tsx';

// A rebuilt page keeps its address, and so its scenario.
followRebuilds();
const place = document.getElementById('workshop');
if (!place) throw new Error('the page has no place for the workshop');
// What one scenario left in the browser is no part of the next.
sessionStorage.clear();
localStorage.clear();
const query = new URLSearchParams(location.search);
const scenario = scenarios.find(({ name }) => name === query.get('scenario')) ?? scenarios[0];
createRoot(place).render(<Workshop scenarios={scenarios} scenario={scenario} query={query} />);
