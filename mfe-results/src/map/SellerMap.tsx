import { type ReactNode, type MouseEvent, useId, useMemo, useState } from 'react';
import {
  type SellerMapData,
  type MapView,
  searchOfArea,
  searchOfCountry,
  searchOfList,
  searchOfSeller,
  useSellers,
  zoomed,
} from './mapView.ts';
import {
  EMPTY_SLUG_REFERENCE,
  type SearchCriteria,
  writeMapArea,
  readMapArea,
} from '@forecourt/search/criteria';
import { formatNumber } from '@forecourt/search/format';
import { selectCriteria } from '@forecourt/search/state';
import { encodeUrl } from '@forecourt/search/url';
import { usePageState } from '@forecourt/slots';
import { buttonClass, isPlainClick } from '@forecourt/slots/ui';
import { SearchLink } from '../search/SearchLink.tsx';
import { MapFrame, MapPlaceholder, sellers, vehicles, ZOOM_STEP } from './MapFrame.tsx';
import styles from './SellerMap.module.css';

const ZOOMS = [
  ['Zoom in', '+', 1 / ZOOM_STEP],
  ['Zoom out', '−', ZOOM_STEP],
] as const;

/** Without JavaScript a link to the search of the larger or smaller area, otherwise a button of the map. */
function ZoomLink(props: {
  label: string;
  sign: string;
  view: MapView;
  criteria: SearchCriteria;
  onZoom: (view: MapView) => void;
}): ReactNode {
  const { label, sign, view, criteria, onZoom } = props;
  const zoom = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    onZoom(view);
  };
  return (
    <a
      className={styles['zoom']}
      href={encodeUrl(searchOfArea(criteria, writeMapArea(view)), EMPTY_SLUG_REFERENCE)}
      rel="nofollow"
      aria-label={label}
      onClick={zoom}
    >
      {sign}
    </a>
  );
}

function Sellers({ data, criteria }: { data: SellerMapData; criteria: SearchCriteria }): ReactNode {
  const id = useId();
  if (data.sellers.length === 0) return null;
  const others = data.sellerCount - data.sellers.length;
  return (
    <section className={styles['sellers']} aria-labelledby={id}>
      <h3 id={id} className={styles['title']}>
        Dealers in this area
      </h3>
      <ul className={styles['list']}>
        {data.sellers.map((seller) => (
          <li key={seller.id}>
            <SearchLink
              criteria={searchOfSeller(criteria, seller.id)}
              cause="map"
              className={styles['seller']}
              focusesResults
            >
              <span className={styles['name']}>{seller.name}</span>
              <span className={styles['city']}>{seller.place}</span>
              <span className={styles['number']}>{vehicles(seller.count)}</span>
            </SearchLink>
          </li>
        ))}
      </ul>
      {others > 0 && (
        <p
          className={styles['more']}
        >{`and ${formatNumber(others)} more ${others === 1 ? 'seller' : 'sellers'}`}</p>
      )}
    </section>
  );
}

/**
 * Where the search's vehicles are: circles with counts, each a link to the search of its part of the map. `data` is
 * undefined until it has loaded, and null if it can't be.
 */
export function SellerMap({ data }: { data: SellerMapData | null | undefined }): ReactNode {
  const criteria = usePageState(selectCriteria);
  const headingId = useId();
  return (
    <section className={styles['map']} aria-labelledby={headingId}>
      <div className={styles['head']}>
        <h2 id={headingId} className={styles['heading']}>
          Map of sellers
        </h2>
        <a
          className={buttonClass('secondary', styles['close'])}
          href={encodeUrl(searchOfList(criteria), EMPTY_SLUG_REFERENCE)}
        >
          Hide map
        </a>
      </div>
      {data && <LoadedMap key={data.view} data={data} criteria={criteria} />}
      {data === undefined && <MapPlaceholder />}
      {data === null && (
        <p className={styles['missing']}>The map can’t be shown right now. The list has all vehicles.</p>
      )}
    </section>
  );
}

/** A map that can be moved. Its first view is that of the search. */
function LoadedMap({ data, criteria }: { data: SellerMapData; criteria: SearchCriteria }): ReactNode {
  const searchedView = useMemo(() => readMapArea(data.view)!, [data.view]);
  const [view, setView] = useState(searchedView);
  const viewText = writeMapArea(view);
  const isMoved = view !== searchedView;
  const sellersInView = useSellers(data, isMoved ? viewText : undefined);
  const [area] = criteria.filters.area ?? [];
  const countElsewhere = sellersInView.totalCount - sellersInView.count;
  return (
    <>
      <div className={styles['zooms']}>
        {ZOOMS.map(([label, sign, factor]) => (
          <ZoomLink
            key={label}
            label={label}
            sign={sign}
            view={zoomed(view, factor)}
            criteria={criteria}
            onZoom={setView}
          />
        ))}
      </div>
      <MapFrame view={view} onView={setView} data={sellersInView} criteria={criteria} />
      <div className={styles['summary']}>
        <p role="status">
          {`${vehicles(sellersInView.count)} at ${sellers(sellersInView.sellerCount)} ${area && !isMoved ? 'in this area' : 'on this map'}`}
        </p>
        {countElsewhere > 0 && (
          <SearchLink criteria={searchOfCountry(criteria)} cause="map" focusesResults>
            {`${formatNumber(countElsewhere)} more across the country`}
          </SearchLink>
        )}
        {area !== viewText && (
          <SearchLink
            criteria={searchOfArea(criteria, viewText)}
            cause="map"
            className={buttonClass('primary', styles['search'])}
            focusesResults
          >
            Search this area
          </SearchLink>
        )}
      </div>
      <Sellers data={sellersInView} criteria={criteria} />
    </>
  );
}
