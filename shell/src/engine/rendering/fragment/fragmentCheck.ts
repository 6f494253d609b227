import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { ThreadStopwatch } from '../shellTime.ts';
import { RenderFailure, type RenderedSlot } from '../slotRenderer.ts';
import { checkValues, type FragmentOwner } from './attributeValues.ts';
import { OpenElements } from './openElements.ts';
import { Refused, type FragmentRule } from './refused.ts';
import { parseStartTag, type StartTag } from './startTag.ts';
import { MAX_HTML_BYTES } from './slotHtml.data.ts';

export interface Violation {
  readonly rule: FragmentRule;
  /** Where and what, for the log. */
  readonly found: string;
}

/*
 * React escapes `<`, `>`, `&` and `"` in texts and attributes, quotes every attribute and closes every element. With the
 * rules of nesting, a fragment that is only what React writes has one reading, without the corrections of an HTML
 * parser, and a scan of its tags suffices. Whatever is not of this form came by `dangerouslySetInnerHTML` or not from
 * React, and is refused. A property test compares the tree of accepted fragments with that of parse5.
 */

/** Tags between two pauses: a fraction of a millisecond. */
const TAGS_BETWEEN_PAUSES = 200;

/** Checks tag by tag and yields where it may be paused. */
function* checkTags(html: string, owner: FragmentOwner): Generator<void, void> {
  if (html.length > MAX_HTML_BYTES) throw new Refused('SIZE', `${html.length} bytes`);
  const elements = new OpenElements();
  // Most start tags of a page occur more than once: reading each text once saves half of the time.
  const parsed = new Map<string, StartTag | undefined>();
  let tags = 0;
  let last = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', last)) {
    tags += 1;
    if (tags % TAGS_BETWEEN_PAUSES === 0) yield;
    if (at > last) elements.text(html, last, at);
    const end = html.indexOf('>', at);
    last = end < 0 ? html.length : end + 1;
    if (html.startsWith('</', at)) {
      elements.end(html.slice(at + 2, end < 0 ? undefined : end));
      continue;
    }
    // No tag that React writes has a `>` inside.
    const text = html.slice(at, last);
    let tag = parsed.get(text);
    if (!tag) {
      if (parsed.has(text)) continue;
      tag = parseStartTag(text);
      if (tag) checkValues(tag, owner);
      parsed.set(text, tag);
      if (!tag) continue;
    }
    elements.start(tag);
  }
  elements.finish();
}

function violationOf(error: unknown, isText: boolean): Violation {
  if (!(error instanceof Refused)) throw error;
  const { rule, message } = error;
  return { rule, found: isText ? message : Buffer.from(message, 'latin1').toString('utf8') };
}

/**
 * Of bytes each is read as one character: tags, names and quotes are ASCII, whose bytes are no part of another character.
 */
const readable = (html: string | Buffer): string =>
  typeof html === 'string' ? html : html.toString('latin1');

/** Reads and checks in pieces; returns the first violation, undefined if the HTML may be sent. */
function* checking(html: string | Buffer, owner: FragmentOwner): Generator<void, Violation | undefined> {
  if (typeof html !== 'string' && html.length <= MAX_HTML_BYTES && !isUtf8(html))
    return { rule: 'SYNTAX', found: 'bytes that are not UTF-8' };
  try {
    yield* checkTags(readable(html), owner);
    return undefined;
  } catch (error) {
    return violationOf(error, typeof html === 'string');
  }
}

/** The first violation in a slot's HTML, or in its bytes in UTF-8; undefined if it may be sent. */
export function checkFragment(html: string | Buffer, owner: FragmentOwner): Violation | undefined {
  const steps = checking(html, owner);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** ms of checking after which others get a turn. */
const SLICE_MS = 4;

/**
 * Rejects with RenderFailure BAD_HTML for a slot's HTML that may not be sent. A large fragment is checked in slices, so
 * that it does not hold up other pages. `spend` receives the CPU time of this thread that it took; ms.
 */
export async function assertFragment(
  rendered: Pick<RenderedSlot, 'html' | 'bytes'>,
  owner: FragmentOwner,
  spend: (ms: number) => void = () => {},
): Promise<void> {
  const stopwatch = new ThreadStopwatch();
  const steps = checking(rendered.bytes ?? rendered.html, owner);
  let sliceStart = performance.now();
  let step = steps.next();
  while (!step.done) {
    if (performance.now() - sliceStart > SLICE_MS) {
      stopwatch.pause();
      await setImmediate();
      stopwatch.resume();
      sliceStart = performance.now();
    }
    step = steps.next();
  }
  spend(stopwatch.stop());
  const violation = step.value;
  if (violation) throw new RenderFailure('BAD_HTML', `${violation.rule}: ${violation.found}`);
}
