/** Every view of the page, one after the other: for axe, and for pictures of them. */
import type { Page } from 'playwright-core';
import type { Catalogue } from '../../renderer/text/catalogue.ts';
import { en } from '../../renderer/text/languages/en/en.ts';
import { journeyWaitMs } from './journey-limits.ts';
import { chooseFiles, type PageFile } from './page-files.ts';
import {
  chooseForAll,
  chooseMode,
  openFromMenu,
  showMoreOptions,
  toggleView,
} from './page-menus.ts';

export interface View {
  name: string;
  open(page: Page): Promise<void>;
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true });
const close = (page: Page) => page.keyboard.press('Escape');
const list = (page: Page) => page.getByRole('listbox');

/** Opens a dialog by a button, or by the page's menu. */
async function openDialog(page: Page, name: string, words?: Catalogue): Promise<void> {
  if (words === undefined) await button(page, name).click();
  else await openFromMenu(page, name, words);
  await page.getByRole('dialog').waitFor();
}

/** Words of a sentence, whatever stands in its places. */
function anyOf(sentence: string): RegExp {
  return new RegExp(sentence.replace(/\{\{[^}]*\}\}/g, '.+'));
}

/**
 * `photos`: at least four that can be read and one that cannot, which comes last. Each view begins where the
 * last one ended. `words`: of the language that the page is in.
 */
export function viewsOf(photos: readonly PageFile[], words: Catalogue = en): View[] {
  const unreadable = photos.at(-1)?.name ?? '';
  return [
    {
      name: 'empty',
      open: (page) => page.getByRole('heading', { name: words.emptyTitle }).waitFor(),
    },
    {
      name: 'added',
      open: async (page) => {
        await chooseFiles(page, () => button(page, words.addPhotos).click(), photos);
        await page.getByText(anyOf(words.impossible_one)).waitFor();
        await page.getByText(anyOf(words.predictedSize)).waitFor();
      },
    },
    {
      name: 'unreadable',
      open: async (page) => {
        await page.getByRole('option', { name: unreadable }).click();
        await page.getByRole('main').getByText(words.failures.UNREADABLE_IMAGE).waitFor();
      },
    },
    {
      name: 'cutout-settings',
      open: async (page) => {
        await page.getByRole('option', { name: photos[0]?.name ?? '' }).click();
        await page.getByText(words.cutOut, { exact: true }).first().click();
        await showMoreOptions(page);
        await page.getByLabel(words.crop).check();
        await page.getByLabel(words.destination).waitFor();
      },
    },
    {
      name: 'row-menu',
      open: async (page) => {
        await button(page, words.moreActions).click();
        await page.getByRole('menu').waitFor();
      },
    },
    {
      name: 'appearance',
      open: async (page) => {
        await close(page);
        await openDialog(page, words.appearance, words);
        await page.getByRole('combobox', { name: words.language }).waitFor();
      },
    },
    {
      name: 'device-menu',
      open: async (page) => {
        await close(page);
        await button(page, new RegExp(`^${words.device}:`)).click();
        await page.getByRole('menuitemradio', { name: words.deviceAuto, checked: true }).waitFor();
      },
    },
    {
      name: 'presets',
      open: async (page) => {
        await close(page);
        await button(page, words.presets).click();
        await page.getByRole('menuitem', { name: words.presetManage }).click();
        await page.getByLabel(words.presetName).fill('Web, 2 times');
        await button(page, words.presetSave).click();
        await page.getByText(words.presetSaved.replace('{{name}}', 'Web, 2 times')).waitFor();
      },
    },
    ...[words.modelsInstalled, words.modelsAvailable, words.modelsAdded].map((part, index) => ({
      name: `models-${index + 1}`,
      open: async (page: Page) => {
        if (index === 0) await close(page);
        if (index === 0) await openDialog(page, words.models, words);
        await page.getByRole('dialog').getByRole('tab', { name: part }).click();
      },
    })),
    {
      name: 'watched',
      open: async (page) => {
        await close(page);
        await openDialog(page, words.watched, words);
        await page.getByLabel(words.watchFolder).waitFor();
      },
    },
    {
      name: 'pool',
      open: async (page) => {
        await close(page);
        await openDialog(page, words.pool, words);
        await page.getByLabel(words.poolAddress).waitFor();
      },
    },
    {
      name: 'shortcuts',
      open: async (page) => {
        await close(page);
        await openDialog(page, words.shortcuts, words);
      },
    },
    {
      name: 'connect',
      open: async (page) => {
        await close(page);
        await openDialog(page, words.connect, words);
      },
    },
    ...[words.examples, words.access, words.requests, words.editors, words.compat].map(
      (part, index) => ({
        name: `connect-${index + 2}`,
        open: async (page: Page) => {
          await page.getByRole('dialog').getByText(part, { exact: true }).first().click();
        },
      }),
    ),
    {
      name: 'storage',
      open: async (page) => {
        await close(page);
        await openDialog(page, words.storage, words);
        await page.getByRole('dialog').getByRole('table').waitFor();
      },
    },
    {
      name: 'running',
      open: async (page) => {
        await close(page);
        await button(page, anyOf(words.start_other)).click();
        await page.getByRole('progressbar', { name: words.batch }).waitFor();
      },
    },
    {
      name: 'finished',
      open: async (page) => {
        await page.getByText(anyOf(words.standing)).waitFor({ timeout: journeyWaitMs() });
        await list(page).press('Home');
        await list(page).press('ArrowDown');
        await page.getByText(words.info, { exact: true }).click();
        await page.getByRole('heading', { name: words.details }).waitFor();
        await page.waitForTimeout(1500);
      },
    },
    {
      name: 'tried',
      open: async (page) => {
        await button(page, words.tryHere).click();
        await page.keyboard.press('Enter');
        await page.getByRole('group', { name: words.tryResults }).waitFor();
        await page.getByText(words.tryOther).waitFor();
      },
    },
    {
      name: 'take-menu',
      open: async (page) => {
        await close(page);
        await button(page, words.take).click();
        await page.getByRole('menu').waitFor();
      },
    },
    {
      name: 'save-as',
      open: async (page) => {
        await page.getByRole('menuitem', { name: words.saveAs }).click();
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'metadata',
      open: async (page) => {
        await close(page);
        await openDialog(page, words.metadataShow);
        await page.getByRole('dialog').getByRole('table').waitFor();
      },
    },
    {
      name: 'review',
      open: async (page) => {
        await close(page);
        await toggleView(page, words.layoutStrip, words);
        await button(page, words.accept).click();
        await page.keyboard.press('1');
        await page.keyboard.press('+');
        await page.keyboard.press('+');
      },
    },
    {
      name: 'grid',
      open: async (page) => {
        await page.keyboard.press('0');
        await button(page, words.layoutGrid).click();
        await page.getByRole('listbox', { name: words.layoutGrid }).waitFor();
      },
    },
    {
      name: 'compare',
      open: async (page) => {
        await button(page, words.layoutGrid).click();
        await page.getByText(words.settings, { exact: true }).first().click();
        await page.getByText('4×', { exact: true }).first().click();
        await button(page, anyOf(words.runAgain_one)).click();
        const second = words.versionCount
          .replace('{{number, number}}', '2')
          .replace('{{count, number}}', '2');
        await page.getByRole('option', { name: second }).waitFor({ timeout: journeyWaitMs() });
        await chooseMode(page, words.compareVersions, words);
        await page.waitForTimeout(1500);
      },
    },
    {
      name: 'cut-out',
      open: async (page) => {
        await chooseMode(page, words.compareSlider, words);
        await page.getByRole('option', { name: photos[0]?.name ?? '' }).click();
        await page.waitForTimeout(1000);
      },
    },
    {
      name: 'touch-up',
      open: async (page) => {
        // A photo without a subject opens in it at once.
        const panel = page.getByRole('region', { name: words.touchUp });
        if ((await panel.count()) === 0) await button(page, words.touchUp).click();
        await page.locator('#stage-frame').press('ArrowRight');
        await page.locator('#stage-frame').press('Enter');
        await page.getByText(anyOf(words.strokesNew_one)).waitFor();
      },
    },
    {
      name: 'touch-up-box',
      open: (page) => button(page, words.box).click(),
    },
    {
      name: 'clear',
      open: async (page) => {
        await close(page);
        await chooseForAll(page, words.clearFinished, words);
        await page.getByRole('dialog', { name: words.clearTitle }).waitFor();
      },
    },
    {
      name: 'removed',
      open: async (page) => {
        await close(page);
        await list(page).press('Delete');
        await button(page, words.undo).waitFor();
      },
    },
  ];
}
