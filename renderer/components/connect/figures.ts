/** Times of requests as the reader writes them. */
import { locale } from '../../text/text.ts';

const times = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
const milliseconds = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: 'millisecond',
  unitDisplay: 'short',
  maximumFractionDigits: 0,
});

export function timeText(timestamp: string): string {
  return times.format(new Date(timestamp));
}

export function durationMsText(durationMs: number): string {
  return milliseconds.format(durationMs);
}
