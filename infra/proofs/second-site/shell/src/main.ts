import { evaluateInSteps } from '@forecourt/shell/engine/evaluateInSteps';
import './page.css';

void evaluateInSteps(
  () => import(/* webpackMode: "eager" */ '@forecourt/library'),
  () => import(/* webpackMode: "eager" */ './browserSite.ts'),
);
