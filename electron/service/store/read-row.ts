/** A statement selects columns under the names of a row's fields; NULL stands for a field that is absent. */

export type Columns<Row> = {
  [Name in keyof Row]-?: object extends Pick<Row, Name>
    ? Exclude<Row[Name], undefined> | null
    : Row[Name];
};

export function rowOf<Row extends object>(columns: Columns<Row>): Row {
  const row: Partial<Row> = {};
  for (const name in columns) if (columns[name] !== null) row[name] = columns[name];
  return row as Row;
}
