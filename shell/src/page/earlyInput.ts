/** What a visitor did before the slot around it could hear it. */
export interface EarlyInput {
  readonly type: 'click' | 'change';
  readonly target: EventTarget | null;
  /** Of the control right after a change: hydration may set it back. */
  readonly value?: string;
  readonly checked?: boolean;
  /** ms of the page's life. */
  readonly at: number;
}

/** The page's global: what has been done, until `stop` ends the recording. */
export interface EarlyInputs {
  readonly done: EarlyInput[];
  readonly stop: () => void;
}

declare global {
  interface Window {
    fcEarly?: EarlyInputs;
  }
}

/** Nobody does more than this while a page becomes interactive. */
const MOST = 50;

/**
 * Inline, in the head: on a slow connection people click a second and more
 * before the scripts have come, and their clicks would be lost.
 */
export const EARLY_INPUT_SCRIPT =
  `(()=>{const done=[],types=["click","change"],keep=e=>{if(e.isTrusted&&done.length<${MOST}){const{type,target}=e;` +
  'done.push({type,target,value:target.value,checked:target.checked,at:performance.now()})}};' +
  'for(const t of types)addEventListener(t,keep,true);' +
  'window.fcEarly={done,stop(){for(const t of types)removeEventListener(t,keep,true)}}})()';
