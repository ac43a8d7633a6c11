/** A rule of ESLint and oxlint: identifiers that are not terms of the field (CONTRIBUTING.md). */

/** `leastSubject` and `mostSubject` are fields of manifests. */
const vague = /^(?:usual|most|least)(?!Subject$)[A-Z]/;
const own =
  /^(?:lookAhead|foresee|foresight|bringer|heldPictures|mannerOf|takers$|flights$|strays$)/;

const rule = {
  meta: {
    type: 'suggestion',
    messages: {
      vague: 'Name it default…, max… or min….',
      own: 'Name it with a term of the field.',
    },
  },
  create: (context) => ({
    Identifier(node) {
      if (vague.test(node.name)) context.report({ node, messageId: 'vague' });
      if (own.test(node.name)) context.report({ node, messageId: 'own' });
    },
  }),
};

export default { meta: { name: 'enlarger' }, rules: { 'field-terms': rule } };
