/**
 * Draws a picture of any size out of tiles, at the place that the page's viewport gives it. OpenSeadragon is
 * a chunk of its own that loads with the first such picture. It only draws, because the stage itself zooms
 * and pans.
 */
import OpenSeadragon from 'openseadragon';
import type { TileSet } from '../../../electron/contract/picture.ts';
import { placeInUnits, tileLink, type PicturePlacement } from './pictures.ts';

/** Tiles of 512 x 512 pixels take 128 MB decoded. Two panes on a 5K screen need 60 tiles each. */
const maxTiles = 128;

export interface DeepZoom {
  /** Draws the picture at a place, at once. */
  show(place: PicturePlacement): void;
  close(): void;
}

interface DeepZoomEvents {
  /** A part of the picture is on the screen. */
  onShown(): void;
  /** No tile comes, not even when it is asked for again. */
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
    maxImageCacheCount: maxTiles,
    tileRetryMax: 2,
    tileRetryDelay: 1000,
  });
  // The stage around the viewer holds the focus and hears the keys.
  viewer.canvas.removeAttribute('tabindex');
  let isShown = false;
  viewer.addOnceHandler('tile-drawn', () => {
    isShown = true;
    events.onShown();
  });
  viewer.addHandler('tile-load-failed', () => {
    if (!isShown) events.onFailed();
  });
  let last: PicturePlacement | undefined;
  viewer.addHandler('open', () => last && show(last));

  function show(place: PicturePlacement): void {
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
 * Adds an empty style with the mark by which OpenSeadragon knows that its own style is in the page. The
 * page's policy would refuse that style, and it only concerns a focus that the viewer does not get here.
 */
function forestallOwnStyle(): void {
  const mark = 'data-openseadragon-mobile-css';
  if (document.querySelector(`style[${mark}]`) !== null) return;
  // The element only has the name of a style, and is of no language that the browser knows.
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
    // A level below this one is only a part of one tile.
    minLevel: Math.max(0, maxLevel - Math.ceil(Math.log2(Math.max(width, height) / tileSize))),
    maxLevel,
    getTileUrl: (level: number, column: number, row: number) => tileLink(url, level, column, row),
  };
}
