import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';

/** Verbs with which a comment restates its name; comments state units, ranges, errors and reasons. */
const plainComments = {
  'no-warning-comments': [
    'error',
    {
      terms: ['answers', 'tells', 'gives', 'says', 'so many'],
      location: 'start',
      decoration: ['*'],
    },
  ],
};

/** Words that are not terms of the field. `leastSubject` and `mostSubject` are fields of manifests. */
const fieldTerms = {
  'no-restricted-syntax': [
    'error',
    {
      selector: 'Identifier[name=/^(?:usual|most|least)(?!Subject$)[A-Z]/]',
      message: 'Name it default…, max… or min….',
    },
    {
      selector:
        'Identifier[name=/^(?:lookAhead|foresee|foresight|bringer|heldPictures|mannerOf|takers$|flights$|strays$)/]',
      message: 'Name it with a term of the field (CONTRIBUTING.md).',
    },
  ],
};

// What needs types is oxlint's (.oxlintrc.json).
export default tseslint.config(
  { ignores: ['out/', 'dist/', 'models/', 'test-results/', 'node_modules/'] },
  { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } },
  { files: ['test/**/*.ts'], rules: fieldTerms },
  {
    files: ['electron/**/*.ts', 'packages/**/*.ts', 'renderer/**/*.ts', 'renderer/**/*.svelte'],
    rules: { ...plainComments, ...fieldTerms },
  },
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
  },
);
