/** Input before its slot was interactive. */
export interface EarlyInput {
  readonly event: Pick<Event, 'type' | 'target' | 'timeStamp'>;
  /** Of the control right after a change: hydration may set it back. */
  readonly value?: string | undefined;
  readonly checked?: boolean | undefined;
}

declare global {
  interface Window {
    /** Input recorded by the inline script. */
    fcEarly?: EarlyInput[];
  }
}

/** Limit of recorded events. */
const MOST = 50;

/**
 * Inline script: on slow connections visitors click seconds before the scripts
 * have loaded. Records only; the browser code replays.
 */
export const EARLY_INPUT_SCRIPT =
  `fcEarly=[];onclick=onchange=event=>{if(event.isTrusted&&fcEarly.length<${MOST}){const{value,checked}=event.target;` +
  'fcEarly.push({event,value,checked})}}';
