import { RenderFailure, type SlotRenderer } from './slotRenderer.ts';

export const RENDERERS = ['process', 'inline'] as const;
export type RendererName = (typeof RENDERERS)[number];

/** One renderer out of several: per slot, as configured. Releases are prepared in each that is in use. */
export function chooseRenderer(
  renderers: Readonly<Partial<Record<RendererName, SlotRenderer>>>,
  choice: { readonly defaultRenderer: RendererName; readonly perSlot: ReadonlyMap<string, RendererName> },
): SlotRenderer {
  const inUse = Object.values(renderers);
  return {
    encodeState: renderers.process?.encodeState,
    async prepare(release) {
      await Promise.all(inUse.map((renderer) => renderer.prepare(release)));
    },
    async render(job) {
      const renderer = renderers[choice.perSlot.get(job.slot) ?? choice.defaultRenderer];
      if (!renderer) throw new RenderFailure('NOT_PREPARED', `no renderer for slot ${job.slot}`);
      return renderer.render(job);
    },
    retire: (id) => inUse.forEach((renderer) => renderer.retire(id)),
    async close() {
      await Promise.all(inUse.map((renderer) => renderer.close()));
    },
  };
}
