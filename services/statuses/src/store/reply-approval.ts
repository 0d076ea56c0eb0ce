/** Approvals that authors elsewhere gave to answers of people here. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** Notes the approval of an answer, or that there is none; false when it stood so already. */
export const putApproval = async (tx: Tx, status: string, uri: string | null): Promise<boolean> => {
  if (uri === null) return (await deleteApprovals(tx, [status])) > 0
  const noted = await tx.run(sql`insert into reply_approvals (status_id, uri) values (${status}, ${uri})
    on conflict (status_id) do update set uri = excluded.uri where reply_approvals.uri <> excluded.uri`)
  return noted > 0
}

/** Addresses of approvals by answer. */
export const approvalsOf = async (db: Reader, ids: readonly string[]): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<{ status_id: string; uri: string }>(
    sql`select status_id, uri from reply_approvals where status_id = any(${ids}::bigint[])`,
  )
  return new Map(rows.map((row) => [row.status_id, row.uri]))
}

export const deleteApprovals = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from reply_approvals where status_id = any(${ids}::bigint[])`)
