/**
 * A picture of any size out of tiles, drawn where the page's viewport has it. OpenSeadragon is a chunk
 * of its own that loads with the first such picture. It only draws: zoom and pan are the stage's.
 */
import OpenSeadragon from 'openseadragon';
import type { TileSet } from '../../../electron/contract/picture.ts';
import { placeInUnits, tileLink, type Placed } from './pictures.ts';

/** Of 512 x 512 pixels: 128 MB decoded. Two panes on a 5K screen need 60 each. */
const mostTiles = 128;

export interface DeepZoom {
  /** Draws the picture there, at once. */
  show(place: Placed): void;
  close(): void;
}

interface DeepZoomEvents {
  /** Something of the picture is on the screen. */
  onShown(): void;
  /** No tile comes, not even after more tries. */
  onFailed(): void;
}

export function openDeepZoom(
  element: HTMLElement,
  tiles: TileSet,
  events: DeepZoomEvents,
): DeepZoom {
  forestallOwnStyle();
  const viewer = OpenSeadragon({
    element,
    tileSources: sourceOf(tiles),
    drawer: 'canvas',
    showNavigationControl: false,
    mouseNavEnabled: false,
    keyboardNavEnabled: false,
    autoResize: false,
    animationTime: 0,
    immediateRender: true,
    visibilityRatio: 0,
    minZoomImageRatio: 0,
    maxZoomPixelRatio: Infinity,
    imageLoaderLimit: 6,
    maxImageCacheCount: mostTiles,
    tileRetryMax: 2,
    tileRetryDelay: 1000,
  });
  // The stage around it holds the focus and the keys.
  viewer.canvas.removeAttribute('tabindex');
  let isShown = false;
  viewer.addOnceHandler('tile-drawn', () => {
    isShown = true;
    events.onShown();
  });
  viewer.addHandler('tile-load-failed', () => {
    if (!isShown) events.onFailed();
  });
  let last: Placed | undefined;
  viewer.addHandler('open', () => last && show(last));

  function show(place: Placed): void {
    last = place;
    if (!viewer.isOpen()) return;
    const { zoom, centre } = placeInUnits(place);
    viewer.viewport.resize(new OpenSeadragon.Point(place.frame.width, place.frame.height), false);
    viewer.viewport.zoomTo(zoom, undefined, true);
    viewer.viewport.panTo(new OpenSeadragon.Point(centre.x, centre.y), true);
  }

  return { show, close: () => viewer.destroy() };
}

/**
 * OpenSeadragon adds a style of its own to the page unless one with this mark is there; the page's
 * policy refuses it, and it only concerns a focus that the viewer does not get here.
 */
function forestallOwnStyle(): void {
  const mark = 'data-openseadragon-mobile-css';
  if (document.querySelector(`style[${mark}]`) !== null) return;
  // Of no language that the browser knows: it only has the name.
  const placeholder = document.createElementNS('urn:enlarger', 'style');
  placeholder.setAttribute(mark, '');
  document.head.append(placeholder);
}

function sourceOf({ width, height, tileSize, overlap, maxLevel, url }: TileSet) {
  return {
    width,
    height,
    tileSize,
    tileOverlap: overlap,
    // Below it a level is a part of one tile.
    minLevel: Math.max(0, maxLevel - Math.ceil(Math.log2(Math.max(width, height) / tileSize))),
    maxLevel,
    getTileUrl: (level: number, column: number, row: number) => tileLink(url, level, column, row),
  };
}
