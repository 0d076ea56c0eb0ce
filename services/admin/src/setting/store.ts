/** Stores changed settings. Settings without a row have their default. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface SettingRow {
  name: string
  value: unknown
  updated_at: Date
}

/** All stored settings. */
export const settingRows = (db: Reader): Promise<SettingRow[]> =>
  db.rows<SettingRow>(sql`select name, value, updated_at from settings`)

/** The row of one setting, or null. */
export const settingRow = (db: Reader, name: string): Promise<SettingRow | null> =>
  db.row<SettingRow>(sql`select name, value, updated_at from settings where name = ${name}`)

/** The rows of these settings, locked until the transaction ends. */
export const lockSettings = (tx: Tx, names: readonly string[]): Promise<SettingRow[]> =>
  tx.rows<SettingRow>(sql`select name, value, updated_at from settings where name = any(${names}::text[])
    order by name for update`)

export const putSettings = (tx: Tx, values: ReadonlyMap<string, unknown>, at: Date): Promise<number> =>
  tx.run(sql`insert into settings (name, value, updated_at)
    select name, value::jsonb, ${at}::timestamptz from unnest(${[...values.keys()]}::text[],
      ${[...values.values()].map((value) => JSON.stringify(value))}::text[]) as given (name, value)
    order by name on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`)

/** Deletes the row of a setting, which then has its default value. */
export const deleteSetting = (tx: Tx, name: string): Promise<number> =>
  tx.run(sql`delete from settings where name = ${name}`)
