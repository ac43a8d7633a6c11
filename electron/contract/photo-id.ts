/** What groups the versions of one photo. */
import { Type } from 'typebox';

export const PhotoId = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[\\w-]+$',
  description:
    'Groups the versions of one photo. Without it, tasks of the same file, upload or address are of one photo.',
});
