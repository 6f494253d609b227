/** Provider of a slot: a release of a remote, or a module of the shell. */
type SlotSource = { readonly remote: string } | 'shell';

export interface SlotPlacement {
  readonly slot: string;
  readonly source: SlotSource;
  /** `required` has a plain fallback in the shell or fails the page, `optional` collapses into its reserved space. */
  readonly criticality: 'required' | 'optional';
  /** ms from the start of the render to the last byte of HTML; 0 = rendered in the browser only. */
  readonly deadlineMs: number;
  /**
   * The server leaves its place empty: for a slot of no use without scripts that would cost every page its rendering.
   * Unlike one without a deadline it has a place in the page.
   */
  readonly renderedBy?: 'browser';
  /**
   * When it becomes interactive. `onEvent`: when one of `wakes` is emitted.
   * `afterFirstView`: then, or when the loaded page is idle, whichever comes first.
   */
  readonly hydrate: 'load' | 'idle' | 'visible' | 'afterFirstView' | 'onEvent';
  /** Only in this view of the page, if its URL asks for it. */
  readonly view?: string;
  /** CSS block-size reserved while the slot is empty, in the narrow and the wide layout. */
  readonly reserve: { readonly narrow: string; readonly wide: string };
  /** Parts of the state that the slot may read, e.g. 'session'; the `reads` of a release must be among them. */
  readonly mayRead: readonly string[];
  /** Calls that its `load` may make on the server; by default none. */
  readonly calls?: readonly string[];
  /** Ids of the slot's elements beside those that begin with its name. */
  readonly ids?: readonly string[];
  /**
   * Its content may be drawn outside of its place: suggestions, drawers, bars at the edge of the window. Other slots are
   * clipped to their box, whatever their styles say. Dialogs in the top layer need no permission.
   */
  readonly overlaps?: true;
  /** The slot is the page: rendered before the head is sent, it decides about head, redirect and status. */
  readonly isPage?: true;
  /** May read what names the visitor. Such a render gets a process that serves no one else. */
  readonly isPersonal?: true;
  /**
   * `frame`: its code runs in a sandboxed frame of an opaque origin instead of the page, for a team that is not trusted
   * with the page. Optional slots that the server renders only; it fills no outlets.
   */
  readonly isolation?: 'frame';
  /** Taller content of a frame scrolls; px, default 1200. */
  readonly maxFrameHeight?: number;
  /** Intents that load the slot at once; `dialog.requested:NAME` for one dialog. */
  readonly wakes?: readonly string[];
}

/** Whether the slot may be placed in a frame: the page works without it, and the server's HTML stands until it is ready. */
export const canBeFramed = ({ source, criticality, deadlineMs }: SlotPlacement): boolean =>
  source !== 'shell' && criticality === 'optional' && deadlineMs > 0;
