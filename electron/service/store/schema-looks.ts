/** A migration: what the picture's head said of a task that waits, or that it cannot be read, as JSON. */
export const looksSchema = `
ALTER TABLE tasks ADD COLUMN look TEXT;
CREATE INDEX tasks_to_look_at ON tasks (seq) WHERE look IS NULL AND status = 'PENDING';
`;
