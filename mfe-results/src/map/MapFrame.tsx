import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react';
import { type SearchCriteria, readMapArea } from '@forecourt/search/criteria';
import { formatCount, formatDollars, formatNumber } from '@forecourt/search/format';
import { VisuallyHidden } from '@forecourt/slots/ui';
import { SearchLink } from '../search/SearchLink.tsx';
import {
  type Cluster,
  type MapView,
  moved,
  pinText,
  placeNames,
  positionOf,
  roadSigns,
  scaleOf,
  searchOfArea,
  type SellerMapData,
  shortCount,
  zoomed,
} from './mapView.ts';
import { DRAWING, outlineOf, roadsOf } from './outline.ts';
import styles from './MapFrame.module.css';

/** Share of the map that an arrow key moves, and the factor of one zoom step. */
const KEY_STEP = 0.25;
export const ZOOM_STEP = 2;
/** Degrees of longitude; roads are thinner in wider views. */
const FAR_WIDTH = 15;
/** px; a shorter way of the pointer is a click. */
const DRAG_PX = 4;

const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`;
const styleAt = ({ left, top }: ReturnType<typeof positionOf>) => ({
  left: percent(left),
  top: percent(top),
});
const isOnMap = ({ left, top }: ReturnType<typeof positionOf>) =>
  left >= 0 && left <= 1 && top >= 0 && top <= 1;

/** '1,234 vehicles' */
export const vehicles = (count: number) => formatCount(count, 'vehicle');
/** '1 seller' */
export const sellers = (count: number) => formatCount(count, 'seller');

/** '12 vehicles at 3 sellers near Austin, TX' */
const clusterName = ({ count, sellers: number, place }: Cluster): string =>
  `${vehicles(count)} at ${sellers(number)} near ${place}`;

/** What is read aloud instead of '$19K'. */
const pinName = (cluster: Cluster): string =>
  `${vehicles(cluster.count)} from ${formatDollars(cluster.lowestPrice ?? 0)} near ${cluster.place}`;

const sizeOf = ({ count }: Cluster): string => (count < 10 ? 'small' : count < 100 ? 'medium' : 'large');

/** Land, state borders, the main roads with their numbers, and names of cities. */
function Background({ view, data }: { view: MapView; data: SellerMapData }): ReactNode {
  const { land, borders } = useMemo(() => outlineOf(view), [view]);
  const roads = useMemo(() => roadsOf(view), [view]);
  const names = placeNames(view, data);
  return (
    <>
      <svg
        className={styles['drawing']}
        viewBox={`0 0 ${DRAWING.width} ${DRAWING.height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        <path className={styles['land']} d={land} />
        <path className={styles['borders']} d={borders} />
        <path
          className={`${styles['roads']} ${view.east - view.west > FAR_WIDTH ? styles['far'] : ''}`}
          d={roads.path}
        />
      </svg>
      {names.map((place) => (
        <span key={place.name} className={styles['place']} style={styleAt(place)} aria-hidden="true">
          {place.name}
        </span>
      ))}
      {roadSigns(view, data, { courses: roads.courses, names }).map((sign) => (
        <span key={sign.name} className={styles['sign']} style={styleAt(sign)} aria-hidden="true">
          {sign.name}
        </span>
      ))}
    </>
  );
}

function Clusters(props: {
  clusters: readonly Cluster[];
  view: MapView;
  criteria: SearchCriteria;
}): ReactNode {
  const { clusters, view, criteria } = props;
  return (
    <ul className={styles['clusters']} aria-label="Sellers on the map">
      {clusters.map((cluster) => {
        const position = positionOf(view, cluster);
        if (!isOnMap(position)) return null;
        const price = pinText(view, cluster);
        return (
          <li key={cluster.area} className={styles['cluster']} style={styleAt(position)}>
            <SearchLink
              criteria={searchOfArea(criteria, cluster.area)}
              cause="map"
              className={`${styles['circle']} ${price ? styles['pin'] : styles[sizeOf(cluster)]} ${cluster.isInside ? '' : styles['outside']}`}
              focusesResults
            >
              <span aria-hidden="true">{price ?? shortCount(cluster.count)}</span>
              <VisuallyHidden>{price ? pinName(cluster) : clusterName(cluster)}</VisuallyHidden>
            </SearchLink>
          </li>
        );
      })}
    </ul>
  );
}

/** The searched part of the map, where the view shows more. */
function SearchedArea({ area, view }: { area: string | undefined; view: MapView }): ReactNode {
  const box = area === undefined ? undefined : readMapArea(area);
  if (!box) return null;
  const from = positionOf(view, { latitude: box.north, longitude: box.west });
  const to = positionOf(view, { latitude: box.south, longitude: box.east });
  const isWhole = from.left <= 0.01 && from.top <= 0.01 && to.left >= 0.99 && to.top >= 0.99;
  if (isWhole) return null;
  return (
    <div
      className={styles['area']}
      style={{
        ...styleAt(from),
        width: percent(to.left - from.left),
        height: percent(to.top - from.top),
      }}
    />
  );
}

function Scale({ view }: { view: MapView }): ReactNode {
  const { miles, share } = scaleOf(view);
  return (
    <span className={styles['scale']} style={{ width: percent(share) }}>
      {`${formatNumber(miles)} mi`}
    </span>
  );
}

/** Moves the view while the map is dragged. A drag that begins on a circle doesn't follow its link. */
function useDrag(frame: RefObject<HTMLDivElement | null>, view: MapView, show: (view: MapView) => void) {
  const newest = useRef({ view, show });
  useEffect(() => {
    newest.current = { view, show };
  });
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    let from: { x: number; y: number; view: MapView } | undefined;
    let isDragged = false;
    const start = ({ button, clientX, clientY }: PointerEvent) => {
      if (button === 0) from = { x: clientX, y: clientY, view: newest.current.view };
      isDragged = false;
    };
    const move = ({ clientX, clientY, pointerId }: PointerEvent) => {
      if (!from) return;
      const [x, y] = [clientX - from.x, clientY - from.y];
      if (!isDragged && Math.hypot(x, y) < DRAG_PX) return;
      if (!isDragged) element.setPointerCapture(pointerId);
      isDragged = true;
      newest.current.show(moved(from.view, -x / element.clientWidth, -y / element.clientHeight));
    };
    const end = () => (from = undefined);
    const click = (event: Event) => {
      if (isDragged) event.preventDefault();
      if (isDragged) event.stopPropagation();
    };
    // Dragging a link would otherwise drag its URL.
    const keep = (event: Event) => event.preventDefault();
    element.addEventListener('pointerdown', start);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', end);
    element.addEventListener('pointercancel', end);
    element.addEventListener('click', click, { capture: true });
    element.addEventListener('dragstart', keep);
    return () => {
      element.removeEventListener('pointerdown', start);
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', end);
      element.removeEventListener('pointercancel', end);
      element.removeEventListener('click', click, { capture: true });
      element.removeEventListener('dragstart', keep);
    };
  }, [frame]);
}

const MOVES: Readonly<Record<string, (view: MapView) => MapView>> = {
  ArrowLeft: (view) => moved(view, -KEY_STEP, 0),
  ArrowRight: (view) => moved(view, KEY_STEP, 0),
  ArrowUp: (view) => moved(view, 0, -KEY_STEP),
  ArrowDown: (view) => moved(view, 0, KEY_STEP),
  '+': (view) => zoomed(view, 1 / ZOOM_STEP),
  '=': (view) => zoomed(view, 1 / ZOOM_STEP),
  '-': (view) => zoomed(view, ZOOM_STEP),
};

/** Space of the map while its data load. */
export const MapPlaceholder = (): ReactNode => <div className={styles['frame']} aria-busy="true" />;

/** The map that can be moved by pointer and keys. */
export function MapFrame(props: {
  view: MapView;
  onView: (view: MapView) => void;
  data: SellerMapData;
  criteria: SearchCriteria;
}): ReactNode {
  const { view, onView, data, criteria } = props;
  const frame = useRef<HTMLDivElement>(null);
  useDrag(frame, view, onView);
  const press = (event: KeyboardEvent) => {
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    const move = event.target === event.currentTarget && !hasModifier ? MOVES[event.key] : undefined;
    if (!move) return;
    event.preventDefault();
    onView(move(view));
  };
  return (
    // The circles are links; the keys move what is seen of them.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={frame}
      className={styles['frame']}
      role="group"
      aria-label="Map. Arrow keys move it, plus and minus zoom."
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={press}
    >
      <Background view={view} data={data} />
      <SearchedArea area={criteria.filters.area?.[0]} view={view} />
      <Clusters clusters={data.clusters} view={view} criteria={criteria} />
      <Scale view={view} />
    </div>
  );
}
