import { evaluateInSteps } from '@forecourt/shell/engine/evaluateInSteps';
import './page.css';

void evaluateInSteps(
  { '@forecourt/library': () => import(/* webpackMode: "eager" */ '@forecourt/library') },
  () => import(/* webpackMode: "eager" */ './browserSite.ts'),
);
