/** Stores, reads and deletes archives of accounts (table `archives`). */
import { type Reader, sql, type Tx } from '@murmuration/db'
import { idFloor } from '@murmuration/kernel'

export interface ArchiveRow {
  id: string
  account_id: string
  username: string
  state: 'waiting' | 'ready' | 'failed'
  key: string
  /** Size of the zip file in bytes, as decimal text; null until the archive is ready. */
  size: string | null
  created_at: Date
}

const columns = sql`a.id, a.account_id, a.username, a.state, a.key, a.size::text, a.created_at`

/** Archives of an account, newest first, at most 20. */
export const archivesOf = (db: Reader, account: string): Promise<ArchiveRow[]> =>
  db.rows(sql`select ${columns} from archives a where a.account_id = ${account} order by a.id desc limit 20`)

/** The archive with this id, if it belongs to this account; else null. */
export const archiveOf = (db: Reader, account: string, id: string): Promise<ArchiveRow | null> =>
  db.row(sql`select ${columns} from archives a where a.id = ${id} and a.account_id = ${account}`)

export const archiveById = (db: Reader, id: string): Promise<ArchiveRow | null> =>
  db.row(sql`select ${columns} from archives a where a.id = ${id}`)

/**
 * Locks the archives of an account, so that simultaneous requests of the account for an archive are handled one after
 * the other.
 */
export const lockArchives = async (tx: Tx, account: string): Promise<void> => {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`archives ${account}`}, 0))`)
}

export const insertArchive = async (
  tx: Tx,
  row: Pick<ArchiveRow, 'id' | 'account_id' | 'username' | 'key'>,
  at: Date,
): Promise<void> => {
  await tx.run(sql`insert into archives (id, account_id, username, key, created_at)
    values (${row.id}, ${row.account_id}, ${row.username}, ${row.key}, ${at})`)
}

/**
 * Marks a waiting archive as ready, with `failed` also a failed one. Returns false if the archive has another state, or
 * was deleted with its account. `size`: size of the zip file in bytes.
 */
export const finishArchive = async (
  tx: Tx,
  id: string,
  { size, at, failed }: { size: number; at: Date; failed: boolean },
): Promise<boolean> =>
  (await tx.run(sql`update archives set state = 'ready', size = ${size}, ready_at = ${at}
    where id = ${id} and created_at > 'epoch' and (state = 'waiting' or (${failed} and state = 'failed'))`)) > 0

export const failArchive = async (db: Reader, id: string): Promise<void> => {
  await db.run(sql`update archives set state = 'failed' where id = ${id} and state = 'waiting'`)
}

/** Sets the creation time of all archives of an account to the epoch, so that the tick deletes them with their files. */
export const ageArchives = async (tx: Tx, account: string): Promise<void> => {
  await tx.run(sql`update archives set created_at = 'epoch' where account_id = ${account}`)
}

/** The oldest archives created before this time, without those in `seen`. */
export const oldArchives = (
  db: Reader,
  before: Date,
  { seen, limit }: { seen: readonly string[]; limit: number },
): Promise<ArchiveRow[]> =>
  db.rows(sql`select ${columns} from archives a where a.created_at < ${before} and a.id <> all(${seen}::bigint[])
    order by a.created_at limit ${limit}`)

/**
 * Deletes the rows of archives. A waiting archive stays if it was requested after `since`, because a job may still
 * write its file. Only the row has the key of that file.
 */
export const deleteArchives = async (db: Reader, ids: readonly string[], since: Date): Promise<void> => {
  await db.run(sql`delete from archives
    where id = any(${ids}::bigint[]) and (state <> 'waiting' or id < ${idFloor(since.getTime())}::bigint)`)
}
