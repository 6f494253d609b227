import { browser } from '@wdio/globals';
import { PNG } from 'pngjs';

/** Something of a slot that is outside of its place, and the scene's name. */
export interface Leak {
  readonly scene: string;
  readonly what: string;
}

/** px around a contained slot in which its focus rings are drawn. */
const RING = 6;

/**
 * In the page: elements that the parser put elsewhere, references to elements outside, fields of others'
 * forms, and open layers after a click on everything. Functions that run in the page can't use others.
 */
export const structureLeaks = (): Promise<Leak[]> =>
  browser.execute(() => {
    const leaks: { scene: string; what: string }[] = [];
    const slotOf = (element: Element | null | undefined) =>
      element?.closest<HTMLElement>('.place > [data-slot]');
    const nameOf = (element: Element | null | undefined) => slotOf(element)?.dataset['slot'] ?? '';
    const add = (element: Element | null | undefined, what: string) =>
      leaks.push({ scene: nameOf(element), what });
    const shape = (scene: Element) => [...scene.children].map(({ className }) => className).join();
    for (const scene of document.querySelectorAll('.scenes > *'))
      if (
        scene.localName !== 'link' &&
        (shape(scene) !== 'witness,place,fc-slot' || scene.className !== 'scene')
      )
        leaks.push({
          scene: scene.querySelector<HTMLElement>('[data-slot]')?.dataset['slot'] ?? '',
          what: 'tree',
        });
    for (const witness of document.querySelectorAll('.witness'))
      if (slotOf(witness)) add(witness, 'contains what follows');
    const REFERENCES =
      'for form list headers aria-owns aria-labelledby aria-describedby aria-controls aria-activedescendant aria-flowto aria-details aria-errormessage popovertarget commandfor'.split(
        ' ',
      );
    for (const slot of document.querySelectorAll('.place > [data-slot]'))
      for (const element of slot.querySelectorAll('*')) {
        for (const name of REFERENCES)
          for (const id of element.getAttribute(name)?.split(/\s+/) ?? []) {
            const target = id === '' ? null : document.getElementById(id);
            if (target && slotOf(target) !== slot) add(element, `${name} refers to ${id}`);
          }
        const { form, labels, control } = element as HTMLInputElement & { control?: Element | null };
        for (const other of [form, control, ...(labels ?? [])])
          if (other instanceof Element && slotOf(other) !== slot)
            add(element, 'belongs to a form or label outside');
      }
    // What a visitor's click opens.
    document.addEventListener('submit', (event) => event.preventDefault());
    document.addEventListener('click', (event) => {
      if ((event.target as Element).closest('a, area')) event.preventDefault();
    });
    for (const element of document.querySelectorAll<HTMLElement>(
      '.place button, .place summary, .place label',
    )) {
      element.click();
      for (const open of document.querySelectorAll(':popover-open, dialog:modal, dialog[open]'))
        add(element, `opened ${open.outerHTML.slice(0, 80)}`);
    }
    return leaks;
  });

/** What has the focus of a loaded page, whether it has scrolled, and where the first Tab leads. */
export async function focusLeaks(): Promise<Leak[]> {
  const slotWithFocus = () =>
    browser.execute(
      () => document.activeElement?.closest<HTMLElement>('.place > [data-slot]')?.dataset['slot'] ?? '',
    );
  const [loaded, scrolled] = [
    await slotWithFocus(),
    await browser.execute(() => window.scrollX + window.scrollY),
  ];
  await browser.keys('Tab');
  const first = await slotWithFocus();
  return [
    ...(loaded === '' ? [] : [{ scene: loaded, what: 'has the focus' }]),
    ...(scrolled === 0 ? [] : [{ scene: loaded, what: `has scrolled the page to ${scrolled}` }]),
    ...(first === '' ? [] : [{ scene: first, what: 'is the first in the tab order' }]),
  ];
}

/** In the page: points outside of a slot that belong to it, on a grid. */
export const hitLeaks = (): Promise<Leak[]> =>
  browser.execute((ring: number) => {
    const leaks = new Map<string, string>();
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) leaks.set('', 'makes the page scroll sideways');
    const places = [...document.querySelectorAll('.place')].map((place) => place.getBoundingClientRect());
    const isInside = (x: number, y: number) =>
      places.some(
        ({ left, top, right, bottom }) =>
          x >= left - ring && x <= right + ring && y >= top - ring && y <= bottom + ring,
      );
    for (let y = 2; y < window.innerHeight; y += 17)
      for (let x = 2; x < window.innerWidth; x += 31) {
        // Finding an element takes long.
        const slot = isInside(x, y)
          ? undefined
          : document.elementFromPoint(x, y)?.closest<HTMLElement>('.place > [data-slot]');
        if (slot) leaks.set(slot.dataset['slot']!, `covers the point ${x}, ${y}`);
      }
    return [...leaks].map(([scene, what]) => ({ scene, what }));
  }, RING);

interface Place {
  readonly scene: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const placesOf = (): Promise<Place[]> =>
  browser.execute(() =>
    [...document.querySelectorAll<HTMLElement>('.scene')].map((scene) => {
      const { left, top, right, bottom } = scene.getBoundingClientRect();
      return {
        scene: scene.querySelector<HTMLElement>('.place > *')?.dataset['slot'] ?? '',
        left,
        top,
        right,
        bottom,
      };
    }),
  );

/** Pixels of the window, with what is inside of the slots' places and their rings left out. */
export async function picture(): Promise<{ readonly png: PNG; readonly scenes: readonly Place[] }> {
  const inside = await browser.execute(() =>
    [...document.querySelectorAll<HTMLElement>('.place')].map((place) => {
      const { left, top, right, bottom } = place.getBoundingClientRect();
      return { left, top, right, bottom };
    }),
  );
  const { data } = (await browser.sendCommandAndGetResult('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
  })) as { data: string };
  const png = PNG.sync.read(Buffer.from(data, 'base64'));
  for (const { left, top, right, bottom } of inside)
    for (let y = Math.floor(top - RING); y < bottom + RING; y += 1)
      png.data.fill(
        0,
        (y * png.width + Math.floor(left - RING)) * 4,
        (y * png.width + Math.ceil(right + RING)) * 4,
      );
  return { png, scenes: await placesOf() };
}

/** Scenes with a pixel outside of the slot that differs from the calm page. */
export function pixelLeaks(
  { png, scenes }: Awaited<ReturnType<typeof picture>>,
  calm: Awaited<ReturnType<typeof picture>>,
): Leak[] {
  if (png.data.equals(calm.png.data)) return [];
  const leaks = new Map<string, string>();
  for (let at = 0; at < png.data.length; at += 4) {
    if (png.data.readUInt32LE(at) === calm.png.data.readUInt32LE(at)) continue;
    const x = (at / 4) % png.width;
    const y = Math.floor(at / 4 / png.width);
    const scene = scenes.find((one) => x >= one.left && x < one.right && y >= one.top && y < one.bottom);
    if (!leaks.has(scene?.scene ?? '')) leaks.set(scene?.scene ?? '', `draws at ${x}, ${y}`);
  }
  return [...leaks].map(([name, what]) => ({ scene: name, what }));
}

/** Lines of text, and boxes that scroll: they depend on how much space there is. */
const BY_LAYOUT = new Set(['InlineTextBox', 'generic']);

interface DomNode {
  readonly backendNodeId: number;
  readonly attributes?: readonly string[];
  readonly children?: readonly DomNode[];
  readonly pseudoElements?: readonly DomNode[];
  readonly shadowRoots?: readonly DomNode[];
}
interface AccessibilityNode {
  readonly nodeId: string;
  readonly parentId?: string;
  readonly childIds?: readonly string[];
  readonly backendDOMNodeId?: number;
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
}

/** What assistive technology is told of the page outside of the slots, in order. */
export interface Tree {
  readonly outside: readonly string[];
  readonly leaks: readonly Leak[];
}

/** The accessibility tree: what is outside of the slots, and nodes whose parents are in another slot. */
export async function accessibilityTree(): Promise<Tree> {
  const { root } = (await browser.sendCommandAndGetResult('DOM.getDocument', {
    depth: -1,
    pierce: true,
  })) as {
    root: DomNode;
  };
  const slots = new Map<number, string>();
  const visit = (node: DomNode, around: string, isPlace: boolean): void => {
    const { attributes = [] } = node;
    const of = (name: string) => attributes[attributes.indexOf(name) + 1] ?? '';
    const slot = isPlace && attributes.includes('data-slot') ? of('data-slot') : around;
    slots.set(node.backendNodeId, slot);
    const isPlaceHere = attributes.includes('class') && of('class') === 'place';
    for (const child of [
      ...(node.children ?? []),
      ...(node.pseudoElements ?? []),
      ...(node.shadowRoots ?? []),
    ])
      visit(child, slot, isPlaceHere);
  };
  visit(root, '', false);
  const { nodes } = (await browser.sendCommandAndGetResult('Accessibility.getFullAXTree', {})) as {
    nodes: AccessibilityNode[];
  };
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const slotOf = (node: AccessibilityNode | undefined): string => {
    if (node === undefined) return '';
    const slot = slots.get(node.backendDOMNodeId ?? 0);
    if (slot !== undefined) return slot;
    // DOM.getDocument leaves out texts of white space, which do have accessibility nodes between inline elements. A text is
    // always where its element is: aria-owns can only refer to elements, whose own nodes are listed.
    const isText = node.backendDOMNodeId === undefined || (node.name?.value ?? '').trim() === '';
    return isText ? slotOf(byId.get(node.parentId ?? '')) : '';
  };
  // The browser lists them level by level, so that their order depends on boxes around them, which come and go with the
  // layout. Assistive technology reads each node before its children, and those before the next node.
  const inOrder = new Set<AccessibilityNode>();
  const read = (node: AccessibilityNode | undefined): void => {
    if (node === undefined || inOrder.has(node)) return;
    inOrder.add(node);
    for (const id of node.childIds ?? []) read(byId.get(id));
  };
  for (const node of nodes) if (!byId.has(node.parentId ?? '')) read(node);
  for (const node of nodes) read(node);
  const outside: string[] = [];
  const leaks: Leak[] = [];
  for (const node of inOrder) {
    const parent = byId.get(node.parentId ?? '');
    const [own, around] = [slotOf(node), slotOf(parent)];
    const text = `${node.role?.value} ${node.name?.value ?? ''}`;
    if (around !== '' && own !== around) leaks.push({ scene: around, what: `owns ${text}` });
    if (own !== '' || node.ignored || BY_LAYOUT.has(node.role?.value ?? '')) continue;
    const states = (node.properties ?? []).map(({ name, value }) => `${name}=${JSON.stringify(value.value)}`);
    outside.push([text, ...states].join(' '));
  }
  return { outside, leaks };
}

/** What assistive technology is told differently from the calm page. */
export function treeLeaks({ outside, leaks }: Tree, calm: Tree): Leak[] {
  if (outside.join('\n') === calm.outside.join('\n')) return [...leaks];
  /** As often as they are more often in the first list. */
  const without = (all: readonly string[], others: readonly string[]) => {
    const left = [...others];
    return all.filter((text) => {
      const at = left.indexOf(text);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  const what = `tells "${without(outside, calm.outside).join()}" instead of "${without(calm.outside, outside).join()}"`;
  return [...leaks, { scene: '', what }];
}
