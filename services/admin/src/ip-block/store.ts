/** Stores IP blocks. */
import { type Cursor, isDuplicate, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'

export interface IpBlockRow {
  id: string
  /** Blocked IP range as CIDR, such as `192.0.2.0/24`. */
  ip: string
  severity: 'sign_up_requires_approval' | 'sign_up_block' | 'no_access'
  comment: string
  expires_at: Date | null
  created_at: Date
}

const columns = sql`id, ip::text as ip, severity, comment, expires_at, created_at`

export const everyIpBlock = (db: Reader, now: Date): Promise<IpBlockRow[]> =>
  db.rows(sql`select ${columns} from ip_blocks where expires_at is null or expires_at > ${now} order by id`)

/** A page of IP blocks in the order of their addresses, after an address; null: from the first address. */
export const ipBlocksAfter = (db: Reader, after: string | null, limit: number): Promise<IpBlockRow[]> =>
  db.rows(sql`select ${columns} from ip_blocks
    where ${after}::cidr is null or ip_blocks.ip > ${after}::cidr order by ip_blocks.ip limit ${limit}`)

/** One page of IP blocks, newest first. */
export const ipBlockPage = async (db: Reader, page: Cursor): Promise<IpBlockRow[]> =>
  newestFirst(
    await db.rows<IpBlockRow>(sql`select ${columns} from ip_blocks where true ${keyset(sql`id`, page)}`),
    page,
  )

export const ipBlockById = (db: Reader, id: string): Promise<IpBlockRow | null> =>
  db.row(sql`select ${columns} from ip_blocks where id = ${id}`)

/** The IP block with this id, locked until the transaction ends. */
export const lockIpBlock = (tx: Tx, id: string): Promise<IpBlockRow | null> =>
  tx.row(sql`select ${columns} from ip_blocks where id = ${id} for update`)

/** Updates an IP block. Returns null if another block has the range; the caller must then roll back the transaction. */
export const updateIpBlock = (tx: Tx, row: IpBlockRow): Promise<IpBlockRow | null> =>
  tx
    .row<IpBlockRow>(sql`update ip_blocks set ip = network(${row.ip}::inet), severity = ${row.severity},
      comment = ${row.comment}, expires_at = ${row.expires_at} where id = ${row.id} returning ${columns}`)
    .catch((error) => {
      if (isDuplicate(error, 'ip_blocks_ip_key')) return null
      throw error
    })

/** Deletes a block. Returns the deleted row; null if no block has this id. */
export const deleteIpBlockById = (tx: Tx, id: string): Promise<IpBlockRow | null> =>
  tx.row(sql`delete from ip_blocks where id = ${id} returning ${columns}`)

/** Inserts an IP block. Replaces an expired block of the same range. Returns null if the range is blocked already. */
export const insertIpBlock = (tx: Tx, row: IpBlockRow): Promise<IpBlockRow | null> =>
  tx.row(sql`insert into ip_blocks (id, ip, severity, comment, expires_at, created_at)
    values (${row.id}, network(${row.ip}::inet), ${row.severity}, ${row.comment}, ${row.expires_at}, ${row.created_at})
    on conflict (ip) do update set id = excluded.id, severity = excluded.severity, comment = excluded.comment,
        expires_at = excluded.expires_at, created_at = excluded.created_at
      where ip_blocks.expires_at <= excluded.created_at
    returning ${columns}`)

/** Deletes the block of a range. Returns the deleted row; null if the range has no block. */
export const deleteIpBlock = (tx: Tx, ip: string): Promise<IpBlockRow | null> =>
  tx.row(sql`delete from ip_blocks where ip_blocks.ip = network(${ip}::inet) returning ${columns}`)

export const deleteIpBlocks = (tx: Tx, now: Date): Promise<number> =>
  tx.run(sql`delete from ip_blocks where expires_at <= ${now}`)
