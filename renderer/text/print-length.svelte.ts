/** Writes lengths on paper in the unit that the reader's region uses, or that a person chose. */
import { millimetresIn } from '../../packages/contract/src/options/print-size.ts';
import type { PageSettings } from '../../packages/contract/src/settings/page.ts';
import { locale } from './text.ts';

type LengthUnit = Exclude<PageSettings['printUnit'], 'system'>;

/** Regions that measure paper in inches. */
const inchRegions = ['US', 'LR', 'MM'];

class PrintLength {
  chosen = $state<PageSettings['printUnit']>('system');

  get unit(): LengthUnit {
    if (this.chosen !== 'system') return this.chosen;
    return inchRegions.includes(new Intl.Locale(locale).region ?? '') ? 'in' : 'cm';
  }

  /** Writes a length such as "30 cm" or "12 in". */
  write(millimetres: number): string {
    return lengthIn(this.unit, millimetres / millimetresIn[this.unit]);
  }
}

const format = (unit: 'centimeter' | 'inch') =>
  new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumSignificantDigits: 4,
  });
/** Writes a length that is in the unit already. */
export const lengthIn = (unit: LengthUnit, length: number): string => formats[unit].format(length);

const formats = { cm: format('centimeter'), in: format('inch') };

export const printLength = new PrintLength();
