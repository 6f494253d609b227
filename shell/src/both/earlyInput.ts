/** What a visitor did before the slot around it could hear it. */
export interface EarlyInput {
  readonly event: Pick<Event, 'type' | 'target' | 'timeStamp'>;
  /** Of the control right after a change: hydration may set it back. */
  readonly value?: string | undefined;
  readonly checked?: boolean | undefined;
}

declare global {
  interface Window {
    /** The page's global: what has been done. */
    fcEarly?: EarlyInput[];
  }
}

/** Nobody does more than this while a page becomes interactive. */
const MOST = 50;

/**
 * Inline: on a slow connection people click a second and more before the
 * scripts have come, and their clicks would be lost. As little as may be: all
 * else is left to who carries it out.
 */
export const EARLY_INPUT_SCRIPT =
  `fcEarly=[];onclick=onchange=event=>{if(event.isTrusted&&fcEarly.length<${MOST}){const{value,checked}=event.target;` +
  'fcEarly.push({event,value,checked})}}';
