/** Input on a slot that was not interactive yet. */
export interface EarlyInput {
  readonly event: Pick<Event, 'type' | 'target' | 'timeStamp'>;
  /** Value of the control right after the change: hydration may reset it. */
  readonly value?: string | undefined;
  readonly checked?: boolean | undefined;
}

declare global {
  interface Window {
    /** Input recorded by the inline script. */
    fcEarly?: EarlyInput[];
  }
}

const MAX_EVENTS = 50;

/**
 * Inline script: on slow connections visitors click seconds before the scripts
 * have loaded. Records only; the browser code replays.
 */
export const EARLY_INPUT_SCRIPT =
  `fcEarly=[];onclick=onchange=event=>{if(event.isTrusted&&fcEarly.length<${MAX_EVENTS}){const{value,checked}=event.target;` +
  'fcEarly.push({event,value,checked})}}';
