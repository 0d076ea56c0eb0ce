/** The rows of the audit log. PostgreSQL adds each new one to the chain at the end of its transaction. */
import { type Cursor, keyset, newestFirst, type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { type AuditRow, type ChainEnd, type ChainedRow, entryOf } from './rules.js'

const json = (value: unknown): string | null => (value === undefined || value === null ? null : JSON.stringify(value))

export const insertAudit = (tx: Tx, rows: readonly AuditRow[]): Promise<number> =>
  rows.length === 0
    ? Promise.resolve(0)
    : tx.run(sql`insert into audit_log (id, actor_id, action, target_id, target, before, after, created_at, entry)
        select id, actor_id, action, target_id, target, before::jsonb, after::jsonb, created_at, entry from unnest(
          ${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.actor_id)}::bigint[],
          ${rows.map((row) => row.action)}::text[], ${rows.map((row) => row.target_id)}::text[],
          ${rows.map((row) => row.target)}::text[], ${rows.map((row) => json(row.before))}::text[],
          ${rows.map((row) => json(row.after))}::text[], ${rows.map((row) => row.created_at)}::timestamptz[],
          ${rows.map(entryOf)}::text[]
        ) as fresh(id, actor_id, action, target_id, target, before, after, created_at, entry)`)

/** Entries below an id, newest first. */
export const auditPage = (db: Reader, page: { limit: number; max_id?: string | undefined }): Promise<AuditRow[]> =>
  db.rows<AuditRow>(sql`select id, actor_id, action, target_id, target, before, after, created_at from audit_log
    where true ${page.max_id === undefined ? sql`` : sql`and id < ${page.max_id}::bigint`}
    order by id desc limit ${page.limit}`)

/** Absent conditions restrict nothing. */
export interface AuditFilter {
  actor_id?: string | undefined
  action?: string | null | undefined
  target_id?: string | null | undefined
}

const columns = sql`id, actor_id, action, target_id, target, before, after, created_at`

/** Entries that match, in the order of their ids. */
export const auditQuery = ({ actor_id, action, target_id }: AuditFilter, page: Cursor): Sql =>
  sql`select ${columns} from audit_log where true
    ${actor_id === undefined ? sql`` : sql`and actor_id = ${actor_id}::bigint`}
    ${action ? sql`and action = ${action}` : sql``}
    ${target_id ? sql`and target_id = ${target_id}` : sql``}
    ${keyset(sql`id`, page)}`

/** One page of entries that match, newest first. */
export const auditSearch = async (db: Reader, filter: AuditFilter, page: Cursor): Promise<AuditRow[]> =>
  newestFirst(await db.rows<AuditRow>(auditQuery(filter, page)), page)

/** Entries of the chain after one, oldest first. */
export const chainPage = (db: Reader, after: string, limit: number): Promise<ChainedRow[]> =>
  db.rows<ChainedRow>(sql`select seq, entry, hash, id, actor_id, action, target_id, target, before, after, created_at
    from audit_log where seq > ${after}::bigint order by seq limit ${limit}`)

/** The last entry that was ever added. */
export const chainHead = async (db: Reader): Promise<ChainEnd> => {
  const row = await db.row<{ seq: string; hash: Buffer }>(sql`select seq, hash from audit_head`)
  return { seq: row?.seq ?? '0', hash: row?.hash.toString('hex') ?? '' }
}
