/** Stores the audit log. PostgreSQL adds each new row to the hash chain at the end of its transaction. */
import {
  bigints,
  type Cursor,
  jsonOrNull,
  keyset,
  newestFirst,
  type Reader,
  type Sql,
  sql,
  type Tx,
} from '@murmuration/db'
import { type AuditRow, type ChainEnd, type ChainedRow, entryOf } from './rules.js'

export const insertAudit = (tx: Tx, rows: readonly AuditRow[]): Promise<number> =>
  rows.length === 0
    ? Promise.resolve(0)
    : tx.run(sql`insert into audit_log
          (id, actor_id, action, target_id, target, before, after, created_at, reason, batch_id, undoes, entry)
        select id, actor_id, action, target_id, target, before::jsonb, after::jsonb, created_at, reason, batch_id, undoes, entry
        from unnest(
          ${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.actor_id)}::bigint[],
          ${rows.map((row) => row.action)}::text[], ${rows.map((row) => row.target_id)}::text[],
          ${rows.map((row) => row.target)}::text[], ${rows.map((row) => jsonOrNull(row.before))}::text[],
          ${rows.map((row) => jsonOrNull(row.after))}::text[], ${rows.map((row) => row.created_at)}::timestamptz[],
          ${rows.map((row) => row.reason)}::text[], ${rows.map((row) => row.batch_id)}::bigint[],
          ${rows.map((row) => row.undoes)}::bigint[], ${rows.map(entryOf)}::text[]
        ) as fresh(id, actor_id, action, target_id, target, before, after, created_at, reason, batch_id, undoes, entry)`)

const columns = sql`id, actor_id, action, target_id, target, before, after, created_at, reason, batch_id, undoes`

/** An audit log entry, with the entry that undid it. */
export interface ListedRow extends AuditRow {
  undone_by: string | null
}

const listed = sql`${columns},
  (select undo_entry_id from audit_undos where audit_undos.entry_id = audit_log.id) as undone_by`

/** A page of audit log entries, newest first. With `max_id`, only entries with lower ids. */
export const auditPage = (db: Reader, page: { limit: number; max_id?: string | undefined }): Promise<ListedRow[]> =>
  db.rows<ListedRow>(sql`select ${listed} from audit_log
    where true ${page.max_id === undefined ? sql`` : sql`and id < ${page.max_id}::bigint`}
    order by id desc limit ${page.limit}`)

/** Filter of the audit log. Its conditions are combined with AND; an absent condition matches every entry. */
export interface AuditFilter {
  actor_id?: string | undefined
  action?: string | null | undefined
  target_id?: string | null | undefined
  batch_id?: string | undefined
}

/** SQL query of the entries that match a filter, in the order of ids. */
export const auditQuery = ({ actor_id, action, target_id, batch_id }: AuditFilter, page: Cursor): Sql =>
  sql`select ${listed} from audit_log where true
    ${actor_id === undefined ? sql`` : sql`and actor_id = ${actor_id}::bigint`}
    ${action ? sql`and action = ${action}` : sql``}
    ${target_id ? sql`and target_id = ${target_id}` : sql``}
    ${batch_id === undefined ? sql`` : sql`and batch_id = ${batch_id}::bigint`}
    ${keyset(sql`id`, page)}`

/** One page of the audit log entries that match a filter, newest first. */
export const auditSearch = async (db: Reader, filter: AuditFilter, page: Cursor): Promise<ListedRow[]> =>
  newestFirst(await db.rows<ListedRow>(auditQuery(filter, page)), page)

/** One audit log entry by its id. */
export const auditById = (db: Reader, id: string): Promise<ListedRow | null> =>
  db.row<ListedRow>(sql`select ${listed} from audit_log where id = ${id}`)

/** True if an audit log entry has this id. */
export const isEntryId = async (db: Reader, id: string): Promise<boolean> =>
  (await db.row(sql`select 1 from audit_log where id = ${id}`)) !== null

/** Audit log entries with these ids. */
export const auditsByIds = (db: Reader, ids: readonly string[]): Promise<ListedRow[]> =>
  db.rows<ListedRow>(sql`select ${listed} from audit_log where id = any(${bigints(ids)}) order by id`)

/** Ids of the audit log entries of a bulk action. */
export const batchIds = async (db: Reader, batch: string, limit: number): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select id from audit_log where batch_id = ${batch} order by id limit ${limit}`)
  ).map((row) => row.id)

/** The first entry of a bulk action; null if there is none. */
export const batchStart = (db: Reader, batch: string): Promise<{ actor_id: string | null; action: string } | null> =>
  db.row(sql`select actor_id, action from audit_log where batch_id = ${batch} order by id limit 1`)

/** Ids of the entries among `ids` that the bulk undo `batch` has undone. */
export const undoneIn = async (db: Reader, batch: string, ids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await db.rows<{ undoes: string }>(sql`select undoes from audit_log
        where batch_id = ${batch} and undoes = any(${bigints(ids)})`)
    ).map((row) => row.undoes),
  )

/** Entries of the hash chain after a sequence number, oldest first. */
export const chainPage = (db: Reader, after: string, limit: number): Promise<ChainedRow[]> =>
  db.rows<ChainedRow>(sql`select seq, entry, hash, ${columns}
    from audit_log where seq > ${after}::bigint order by seq limit ${limit}`)

/**
 * Id of an entry without a valid sequence number, which only a manual change in the database causes; null if there is
 * none.
 */
export const unchainedId = async (db: Reader): Promise<string | null> =>
  (
    await db.row<{ id: string }>(sql`(select id from audit_log where seq is null limit 1)
    union all (select id from audit_log where seq < 1 limit 1) limit 1`)
  )?.id ?? null

/** Head of the hash chain: sequence number and hash of the last added entry. */
export const chainHead = async (db: Reader): Promise<ChainEnd> => {
  const row = await db.row<{ seq: string; hash: Buffer }>(sql`select seq, hash from audit_head`)
  return { seq: row?.seq ?? '0', hash: row?.hash.toString('hex') ?? '' }
}

/** Stores the parts of recorded states that the audit log does not show. */
export const insertHidden = (
  tx: Tx,
  rows: readonly { id: string; before: unknown; after: unknown }[],
  at: Date,
): Promise<number> =>
  tx.run(sql`insert into audit_hidden (entry_id, before, after, created_at)
    select id, before::jsonb, after::jsonb, ${at}::timestamptz from unnest(${rows.map((row) => row.id)}::bigint[],
      ${rows.map((row) => jsonOrNull(row.before))}::text[], ${rows.map((row) => jsonOrNull(row.after))}::text[])
      as given(id, before, after)`)

/**
 * Parts of the recorded states of an entry that the audit log does not show; null if the entry has none, or if they
 * were deleted.
 */
export const hiddenOf = (db: Reader, id: string): Promise<{ before: unknown; after: unknown } | null> =>
  db.row(sql`select before, after from audit_hidden where entry_id = ${id}`)

export const deleteHidden = (db: Reader, before: Date): Promise<number> =>
  db.run(sql`delete from audit_hidden where created_at < ${before}`)
