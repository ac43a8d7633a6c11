/** A migration: presets. A name is taken whatever its case (of ASCII letters). */
export const presetsSchema = `
CREATE TABLE presets (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  operation TEXT NOT NULL,
  options TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
