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

/** The answer that an approval is for; an author gives each of them one of its own. */
export const replyByApproval = async (db: Reader, uri: string): Promise<string | null> =>
  (await db.row<{ status_id: string }>(sql`select status_id from reply_approvals where uri = ${uri} limit 1`))
    ?.status_id ?? null

/** False when the answer has another approval by now. */
export const deleteApproval = async (tx: Tx, status: string, uri: string): Promise<boolean> =>
  (await tx.run(sql`delete from reply_approvals where status_id = ${status} and uri = ${uri}`)) > 0

export const deleteApprovals = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from reply_approvals where status_id = any(${ids}::bigint[])`)
