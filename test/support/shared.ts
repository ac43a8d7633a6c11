/** Material that lies beside the checkout and not in it; tests and tables that need it say what they skip. */
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../../shared');

export const corpusArchive =
  process.env['ENLARGER_CORPUS'] ?? path.join(folder, 'corpus/corpus.tar.xz');
export const photographs = path.join(folder, 'photographs');
/** Sets of pictures with their reduced ones, for measuring only. */
export const enlargingPairs = path.join(folder, 'benchmark/sr');
/** What is known of public networks, and some of them. */
export const networks = {
  facts: path.join(folder, 'networks/FACTS.md'),
  archive: path.join(folder, 'networks/networks.tar.xz'),
};
/** Small files made after published complaints; RECIPES.txt says what each is. */
export const reports = path.join(folder, 'reports');
