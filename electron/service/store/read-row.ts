/** A row as a statement selects it: its columns bear the names of its fields, and NULL stands for one that is absent. */

export type Columns<Row> = {
  [Name in keyof Row]-?: object extends Pick<Row, Name>
    ? Exclude<Row[Name], undefined> | null
    : Row[Name];
};

export function rowOf<Row extends object>(columns: Columns<Row>): Row {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null)) as Row;
}
