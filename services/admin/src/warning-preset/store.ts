/** Stores warning presets. */
import { type Cursor, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'

export interface WarningPresetRow {
  id: string
  title: string
  text: string
  created_at: Date
  updated_at: Date
}

const columns = sql`id, title, text, created_at, updated_at`

/** One page of warning presets, newest first. */
export const warningPresetPage = async (db: Reader, page: Cursor): Promise<WarningPresetRow[]> =>
  newestFirst(
    await db.rows<WarningPresetRow>(sql`select ${columns} from warning_presets where true ${keyset(sql`id`, page)}`),
    page,
  )

export const warningPresetById = (db: Reader, id: string): Promise<WarningPresetRow | null> =>
  db.row(sql`select ${columns} from warning_presets where id = ${id}`)

/** The warning preset with this id, locked until the transaction ends. */
export const lockWarningPreset = (tx: Tx, id: string): Promise<WarningPresetRow | null> =>
  tx.row(sql`select ${columns} from warning_presets where id = ${id} for update`)

export const insertWarningPreset = (tx: Tx, row: WarningPresetRow): Promise<number> =>
  tx.run(sql`insert into warning_presets (${columns})
    values (${row.id}, ${row.title}, ${row.text}, ${row.created_at}, ${row.updated_at})`)

export const storeWarningPreset = (tx: Tx, row: WarningPresetRow): Promise<number> =>
  tx.run(sql`update warning_presets set title = ${row.title}, text = ${row.text}, updated_at = ${row.updated_at}
    where id = ${row.id}`)

/** Deletes a preset. Returns the deleted row; null if no preset has this id. */
export const deleteWarningPreset = (tx: Tx, id: string): Promise<WarningPresetRow | null> =>
  tx.row(sql`delete from warning_presets where id = ${id} returning ${columns}`)
