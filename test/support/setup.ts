import { afterAll } from 'vitest';
import { deleteTemporaryFolders } from './temporary-folder.ts';

// It stands before every hook of a test file, so it runs after them.
afterAll(deleteTemporaryFolders);
