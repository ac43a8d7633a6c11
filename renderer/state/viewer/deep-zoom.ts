/**
 * Draws a picture of any size out of tiles, at the place that the page's viewport gives it. Each part of the screen is
 * drawn once, from its own tile, or until that has come from one above it: transparent parts would add up. It only
 * draws, because the stage itself zooms and pans.
 */
import type { TileSet } from '../../../packages/contract/src/picture.ts';
import { tileLink, type PicturePlacement } from './pictures.ts';
import { minLevelOf, seenTiles, tileAbove, type TilePosition } from './tile-grid.ts';

/** Tiles of 512 x 512 pixels take 128 MB decoded. Two panes on a 5K screen need 60 tiles each. */
const maxTiles = 128;
const maxLoading = 6;
const maxTries = 3;
const retryDelayMs = 1000;

interface DeepZoomEvents {
  /** A part of the picture is on the screen. */
  onShown(): void;
  /** No tile comes, not even when it is asked for again. */
  onFailed(): void;
}

interface Tile {
  readonly image: HTMLImageElement;
  state: 'loading' | 'loaded' | 'failed';
}

export class DeepZoom {
  readonly #canvas = document.createElement('canvas');
  readonly #tiles: TileSet;
  readonly #events: DeepZoomEvents;
  /** By link; those that were drawn last come last. */
  readonly #held = new Map<string, Tile>();
  #place: PicturePlacement | undefined;
  #isShown = false;
  #isClosed = false;

  constructor(element: HTMLElement, tiles: TileSet, events: DeepZoomEvents) {
    this.#tiles = tiles;
    this.#events = events;
    this.#canvas.style.cssText = 'position: absolute; inset: 0; width: 100%; height: 100%';
    element.append(this.#canvas);
  }

  /** Draws the picture at a place, at once. */
  show(place: PicturePlacement): void {
    this.#place = place;
    this.#draw();
  }

  close(): void {
    this.#isClosed = true;
    this.#canvas.remove();
    for (const link of this.#held.keys()) this.#drop(link);
  }

  #draw(): void {
    const context = this.#canvas.getContext('2d');
    if (this.#place === undefined || context === null) return;
    const pixelRatio = globalThis.devicePixelRatio || 1;
    const { width, height } = this.#place.frame;
    // Setting a size clears the canvas, also where it stays the same.
    this.#canvas.width = Math.round(width * pixelRatio);
    this.#canvas.height = Math.round(height * pixelRatio);
    context.imageSmoothingQuality = 'high';
    const seen = seenTiles(this.#tiles, this.#place, pixelRatio);
    const drawn = seen.filter((tile) => this.#drawTile(context, tile));
    const whole = { level: minLevelOf(this.#tiles), column: 0, row: 0 };
    this.#load([whole, ...seen].map((tile) => this.#linkOf(tile)));
    if (drawn.length === 0 || this.#isShown) return;
    this.#isShown = true;
    this.#events.onShown();
  }

  #drawTile(
    context: CanvasRenderingContext2D,
    tile: ReturnType<typeof seenTiles>[number],
  ): boolean {
    const { x, y, width, height } = tile.target;
    const minLevel = minLevelOf(this.#tiles);
    for (let steps = 0; tile.level - steps >= minLevel; steps += 1) {
      const above = tileAbove(tile, steps, this.#tiles.tileSize);
      const image = this.#loaded(above);
      if (image === undefined) continue;
      const { part } = above;
      const partWidth = Math.min(part.width, image.naturalWidth - part.x);
      const partHeight = Math.min(part.height, image.naturalHeight - part.y);
      if (partWidth <= 0 || partHeight <= 0) return false;
      context.drawImage(image, part.x, part.y, partWidth, partHeight, x, y, width, height);
      return true;
    }
    return false;
  }

  #linkOf({ level, column, row }: TilePosition): string {
    return tileLink(this.#tiles.url, level, column, row);
  }

  /** The tile's picture, which is now the last one to be dropped. */
  #loaded(position: TilePosition): HTMLImageElement | undefined {
    const link = this.#linkOf(position);
    const tile = this.#held.get(link);
    if (tile?.state !== 'loaded') return undefined;
    this.#held.delete(link);
    this.#held.set(link, tile);
    return tile.image;
  }

  /** Loads wanted tiles, the first ones first, and drops what is no longer wanted. */
  #load(wanted: readonly string[]): void {
    const isWanted = new Set(wanted);
    for (const [link, { state }] of this.#held)
      if (!isWanted.has(link) && (state === 'loading' || this.#held.size > maxTiles))
        this.#drop(link);
    let loading = [...this.#held.values()].filter(({ state }) => state === 'loading').length;
    for (const link of wanted) {
      if (loading >= maxLoading) return;
      if (this.#held.has(link)) continue;
      loading += 1;
      const tile: Tile = { image: new Image(), state: 'loading' };
      this.#held.set(link, tile);
      void this.#fetch(link, tile);
    }
  }

  async #fetch(link: string, tile: Tile): Promise<void> {
    for (let tries = 1; tile.state === 'loading'; tries += 1) {
      tile.image.src = link;
      const isLoaded = await tile.image.decode().then(
        () => true,
        () => false,
      );
      // It was dropped meanwhile.
      if (this.#isClosed || this.#held.get(link) !== tile) return;
      if (isLoaded) tile.state = 'loaded';
      else if (tries === maxTries) tile.state = 'failed';
      else await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
    this.#draw();
    if (tile.state === 'failed' && !this.#isShown) this.#events.onFailed();
  }

  #drop(link: string): void {
    const tile = this.#held.get(link);
    this.#held.delete(link);
    if (tile?.state === 'loading') tile.image.src = '';
  }
}
