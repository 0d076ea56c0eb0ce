/** The record of what staff did. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface AuditRow {
  id: string
  actor_id: string | null
  action: string
  target_id: string | null
  target: string
  before: unknown
  after: unknown
  created_at: Date
}

const json = (value: unknown): string | null => (value === undefined || value === null ? null : JSON.stringify(value))

export const insertAudit = (tx: Tx, ...rows: AuditRow[]): Promise<number> =>
  rows.length === 0
    ? Promise.resolve(0)
    : tx.run(sql`insert into audit_log (id, actor_id, action, target_id, target, before, after, created_at)
        select id, actor_id, action, target_id, target, before::jsonb, after::jsonb, created_at from unnest(
          ${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.actor_id)}::bigint[],
          ${rows.map((row) => row.action)}::text[], ${rows.map((row) => row.target_id)}::text[],
          ${rows.map((row) => row.target)}::text[], ${rows.map((row) => json(row.before))}::text[],
          ${rows.map((row) => json(row.after))}::text[], ${rows.map((row) => row.created_at)}::timestamptz[]
        ) as fresh(id, actor_id, action, target_id, target, before, after, created_at)`)

/** Entries below an id, newest first. */
export const auditPage = (db: Reader, page: { limit: number; max_id?: string | undefined }): Promise<AuditRow[]> =>
  db.rows<AuditRow>(sql`select id, actor_id, action, target_id, target, before, after, created_at from audit_log
    where true ${page.max_id === undefined ? sql`` : sql`and id < ${page.max_id}::bigint`}
    order by id desc limit ${page.limit}`)
