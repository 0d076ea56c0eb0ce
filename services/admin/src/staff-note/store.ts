/** Stores notes of staff on reports and accounts. */
import { type Cursor, keyset, newestFirst, type Reader, type Sql, sql, type Tx } from '@murmuration/db'

export interface StaffNoteRow {
  id: string
  kind: 'report' | 'account'
  target_id: string
  /** Account id of the author of the note; null for operators. */
  account_id: string | null
  text: string
  created_at: Date
}

const columns = sql`id, kind, target_id, account_id, text, created_at`

/** The SQL statement of `staffNotePage`, exported so that a test can check its query plan. */
export const staffNotePageQuery = (kind: StaffNoteRow['kind'], target: string, page: Cursor): Sql =>
  sql`select ${columns} from staff_notes where kind = ${kind} and target_id = ${target}::bigint
    ${keyset(sql`id`, page)}`

/** One page of notes on a report or an account, newest first. */
export const staffNotePage = async (
  db: Reader,
  kind: StaffNoteRow['kind'],
  target: string,
  page: Cursor,
): Promise<StaffNoteRow[]> => newestFirst(await db.rows<StaffNoteRow>(staffNotePageQuery(kind, target, page)), page)

/** One note of staff, locked until the transaction ends. */
export const lockStaffNote = (tx: Tx, id: string): Promise<StaffNoteRow | null> =>
  tx.row(sql`select ${columns} from staff_notes where id = ${id} for update`)

export const insertStaffNote = (tx: Tx, row: StaffNoteRow): Promise<number> =>
  tx.run(sql`insert into staff_notes (${columns})
    values (${row.id}, ${row.kind}, ${row.target_id}, ${row.account_id}, ${row.text}, ${row.created_at})`)

export const deleteStaffNote = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`delete from staff_notes where id = ${id}`)

/** Deletes the notes on an account. */
export const deleteNotesOfAccount = (tx: Tx, account: string): Promise<number> =>
  tx.run(sql`delete from staff_notes where kind = 'account' and target_id = ${account}`)
