/** What comes after the first view, in one file: loaded when the page is idle. */
export { CarouselArrows } from '../grid/CarouselArrows.tsx';
export { LaterParts } from './LaterParts.tsx';
