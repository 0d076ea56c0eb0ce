/** Stores username blocks. */
import { type Cursor, isDuplicate, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'

export interface UsernameBlockRow {
  id: string
  username: string
  exact: boolean
  allow_with_approval: boolean
  created_at: Date
}

const columns = sql`id, username, exact, allow_with_approval, created_at`

export const everyUsernameBlock = (db: Reader): Promise<UsernameBlockRow[]> =>
  db.rows(sql`select ${columns} from username_blocks order by id`)

/** A page of username blocks in the order of their names, after a name. */
export const usernameBlocksAfter = (db: Reader, after: string, limit: number): Promise<UsernameBlockRow[]> =>
  db.rows(sql`select ${columns} from username_blocks where username > ${after} order by username limit ${limit}`)

/** One page of username blocks, newest first. */
export const usernameBlockPage = async (db: Reader, page: Cursor): Promise<UsernameBlockRow[]> =>
  newestFirst(
    await db.rows<UsernameBlockRow>(sql`select ${columns} from username_blocks where true ${keyset(sql`id`, page)}`),
    page,
  )

export const usernameBlockById = (db: Reader, id: string): Promise<UsernameBlockRow | null> =>
  db.row(sql`select ${columns} from username_blocks where id = ${id}`)

/** Deletes a block. Returns the deleted row; null if no block has this id. */
export const deleteUsernameBlockById = (tx: Tx, id: string): Promise<UsernameBlockRow | null> =>
  tx.row(sql`delete from username_blocks where id = ${id} returning ${columns}`)

/** Inserts a username block. Returns false if the name is blocked already. */
export const insertUsernameBlock = async (tx: Tx, row: UsernameBlockRow): Promise<boolean> =>
  (await tx.run(sql`insert into username_blocks (${columns})
    values (${row.id}, ${row.username}, ${row.exact}, ${row.allow_with_approval}, ${row.created_at})
    on conflict do nothing`)) > 0

export const deleteUsernameBlock = (tx: Tx, username: string): Promise<UsernameBlockRow | null> =>
  tx.row(sql`delete from username_blocks where username = ${username} returning ${columns}`)

/** One username block, locked until the transaction ends. */
export const lockUsernameBlock = (tx: Tx, id: string): Promise<UsernameBlockRow | null> =>
  tx.row(sql`select ${columns} from username_blocks where id = ${id} for update`)

/**
 * Updates a username block. Returns null if another block has the name; the caller must then roll back the transaction.
 */
export const updateUsernameBlock = (tx: Tx, row: UsernameBlockRow): Promise<UsernameBlockRow | null> =>
  tx
    .row<UsernameBlockRow>(sql`update username_blocks set username = ${row.username}, exact = ${row.exact},
      allow_with_approval = ${row.allow_with_approval} where id = ${row.id} returning ${columns}`)
    .catch((error) => {
      if (isDuplicate(error, 'username_blocks_username_key')) return null
      throw error
    })
