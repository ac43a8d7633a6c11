import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';
import enlarger from './.ci/field-terms.mjs';

// Components alone, which oxlint does not read. All else is its (.oxlintrc.json), the same rules among it.
export default tseslint.config(
  { ignores: ['out/', 'dist/', 'models/', 'test-results/', 'node_modules/'] },
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
  },
  {
    files: ['**/*.svelte'],
    plugins: { enlarger },
    rules: {
      'enlarger/field-terms': 'error',
      'no-warning-comments': [
        'error',
        {
          terms: ['answers', 'tells', 'gives', 'says', 'so many'],
          location: 'start',
          decoration: ['*'],
        },
      ],
    },
  },
);
