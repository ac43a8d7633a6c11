/** What stands on the page's stage, read in the page itself. */
import type { Locator } from 'playwright-core';

/** As much of the page's own types as is needed here; the tests have none of them. */
interface Shape {
  parentElement: object;
  querySelector(selector: 'canvas'): Canvas | null;
  naturalWidth: number;
}
interface Canvas {
  width: number;
  height: number;
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, width: number, height: number): { data: Uint8Array };
  };
}
interface Styles {
  getComputedStyle: (
    element: object,
  ) => Record<
    'visibility' | 'imageRendering' | 'backgroundColor' | 'backgroundImage' | 'outlineStyle',
    string
  >;
}

/** Whether it is to be seen at all: nothing above it is hidden. */
export async function isShown(picture: Locator): Promise<boolean> {
  return picture.evaluate(
    (element) =>
      (globalThis as unknown as Styles).getComputedStyle(element as unknown as Shape).visibility ===
      'visible',
  );
}

export async function isSmooth(picture: Locator): Promise<boolean> {
  return picture.evaluate(
    (element) =>
      (globalThis as unknown as Styles).getComputedStyle(element as unknown as Shape)
        .imageRendering === 'auto',
  );
}

/** The colour that an element is filled with, and the style of its outline, as CSS has them. */
export async function fillOf(element: Locator): Promise<{ fill: string; outline: string }> {
  return element.evaluate((each) => {
    const shape = each as unknown as Shape;
    const { getComputedStyle } = globalThis as unknown as Styles;
    const { backgroundColor, outlineStyle } = getComputedStyle(shape);
    return { fill: backgroundColor, outline: outlineStyle };
  });
}

/** What lies behind a picture with transparency: colour and pattern, as CSS has them. */
export async function groundOf(picture: Locator): Promise<string> {
  return picture.evaluate((element) => {
    const { parentElement } = element as unknown as Shape;
    const { getComputedStyle } = globalThis as unknown as Styles;
    const { backgroundColor, backgroundImage } = getComputedStyle(parentElement);
    return `${backgroundColor} ${backgroundImage}`;
  });
}

/** The share of its canvas that a picture in tiles has been drawn on; 0 before there is one. */
export async function inkOf(tiled: Locator): Promise<number> {
  return tiled.evaluate((element) => {
    const canvas = (element as unknown as Shape).querySelector('canvas');
    if (canvas === null || canvas.width === 0) return 0;
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    let drawn = 0;
    for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) > 0) drawn += 1;
    return drawn / (data.length / 4);
  });
}

/** Pixels of the picture that was loaded; 0 before. */
export async function widthOf(picture: Locator): Promise<number> {
  return picture.evaluate((image) => (image as unknown as Shape).naturalWidth);
}
