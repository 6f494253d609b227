import {
  CHILDREN,
  CLOSES_P,
  KEEPS_P_OPEN,
  MAX_ATTRIBUTES,
  MAX_ELEMENTS,
  MAX_IDS,
  MAX_LEVELS,
  NOT_NESTED,
  PARENTS,
  TEXT_ONLY_ELEMENTS,
  WITHOUT_TEXT,
} from './slotHtml.data.ts';
import { Refused } from './refused.ts';
import type { StartTag } from './startTag.ts';

interface OpenElement {
  readonly name: string;
  readonly isSvg: boolean;
  /** A `p` is open that a block inside would close. */
  readonly isInP: boolean;
  /** Groups of elements that may not be inside, because one is open. */
  readonly notNested: readonly string[];
}

/** Open elements, innermost last. */
export class OpenElements {
  readonly #open: OpenElement[] = [];
  #elements = 0;
  #attributes = 0;
  readonly #ids = new Set<string>();

  start(tag: StartTag): void {
    const { name } = tag;
    this.#count(tag);
    const parent = this.#open.at(-1);
    const isSvg = tag.isSvg && (name === 'svg' || parent?.isSvg === true);
    if (!isSvg && (!tag.isHtml || parent?.isSvg === true)) throw new Refused('ELEMENT', name);
    if (parent !== undefined && TEXT_ONLY_ELEMENTS.has(parent.name))
      throw new Refused('ELEMENT', `${name} in ${parent.name}`);
    if (tag.isRadio && !parent?.notNested.includes('form'))
      throw new Refused('NESTING', 'a radio button outside of a form');
    if (!isSvg) this.#checkPlace(name, parent);
    else if (parent !== undefined && CHILDREN.has(parent.name))
      throw new Refused('NESTING', `${name} in ${parent.name}`);
    if (tag.isVoid) return;
    // A browser ignores the slash of any other HTML element and keeps the element open.
    if (tag.isClosed) throw new Refused('BALANCE', `<${name}/>`);
    const group = isSvg ? undefined : NOT_NESTED.get(name);
    const notNested = parent?.notNested ?? [];
    const levels = this.#open.push({
      name,
      isSvg,
      isInP: !isSvg && (name === 'p' || (parent?.isInP === true && !KEEPS_P_OPEN.has(name))),
      notNested: group === undefined ? notNested : [...notNested, group],
    });
    if (levels > MAX_LEVELS) throw new Refused('SIZE', `more than ${MAX_LEVELS} levels`);
  }

  #count({ attributes, id }: StartTag): void {
    this.#elements += 1;
    this.#attributes += attributes;
    if (this.#elements > MAX_ELEMENTS) throw new Refused('SIZE', `more than ${MAX_ELEMENTS} elements`);
    if (this.#attributes > MAX_ATTRIBUTES)
      throw new Refused('SIZE', `more than ${MAX_ATTRIBUTES} attributes`);
    if (id === undefined) return;
    if (this.#ids.has(id)) throw new Refused('ID', id);
    this.#ids.add(id);
    if (this.#ids.size > MAX_IDS) throw new Refused('SIZE', `more than ${MAX_IDS} ids`);
  }

  /** Whether a parser leaves an HTML element where its tag is. */
  #checkPlace(name: string, parent: OpenElement | undefined): void {
    const refuse = (): never => {
      throw new Refused('NESTING', `${name} in ${parent?.name ?? 'the slot'}`);
    };
    const group = NOT_NESTED.get(name);
    if (group !== undefined && parent?.notNested.includes(group) === true) refuse();
    if (parent?.isInP === true && CLOSES_P.has(name)) refuse();
    if (parent !== undefined && CHILDREN.get(parent.name)?.has(name) === false) refuse();
    const parents = PARENTS.get(name);
    if (parents === undefined) return;
    if (parent === undefined) refuse();
    const place = parent!.name === 'div' ? `${this.#open.at(-2)?.name}>div` : parent!.name;
    if (!parents.has(place)) refuse();
  }

  /** Text between two tags, from one index of the HTML to another: most of it is never cut out. */
  text(html: string, from: number, to: number): void {
    const parent = this.#open.at(-1);
    if (parent !== undefined && WITHOUT_TEXT.has(parent.name) && /[^ \t\n]/.test(html.slice(from, to)))
      throw new Refused('NESTING', `text in ${parent.name}`);
  }

  end(given: string): void {
    const name = this.#open.pop()?.name;
    if (name !== given && name !== given.toLowerCase()) throw new Refused('BALANCE', `</${given}>`);
  }

  finish(): void {
    const left = this.#open.at(-1);
    if (left !== undefined) throw new Refused('BALANCE', `<${left.name}> is not closed`);
  }
}
