/** Reserved user names. */
import { type Reader, sql, type Tx } from '@murmuration/db'

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

/** In the order of the names, from the first after this one. */
export const usernameBlocksAfter = (db: Reader, after: string, limit: number): Promise<UsernameBlockRow[]> =>
  db.rows(sql`select ${columns} from username_blocks where username > ${after} order by username limit ${limit}`)

/** False when the name is reserved already. */
export const insertUsernameBlock = async (tx: Tx, row: UsernameBlockRow): Promise<boolean> =>
  (await tx.run(sql`insert into username_blocks (${columns})
    values (${row.id}, ${row.username}, ${row.exact}, ${row.allow_with_approval}, ${row.created_at})
    on conflict do nothing`)) > 0

export const deleteUsernameBlock = (tx: Tx, username: string): Promise<UsernameBlockRow | null> =>
  tx.row(sql`delete from username_blocks where username = ${username} returning ${columns}`)
