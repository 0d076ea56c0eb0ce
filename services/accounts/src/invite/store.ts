/** Invitations of everyone, for staff. */
import { type Cursor, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'
import type { InviteRow } from '../store/invite.js'

const columns = sql`id, account_id, code, uses, max_uses, expires_at, autofollow, comment, created_at`

/** One page, newest first; with an account, only its own. */
export const invitePage = async (db: Reader, account: string | undefined, page: Cursor): Promise<InviteRow[]> =>
  newestFirst(
    await db.rows<InviteRow>(sql`select ${columns} from invites where true
      ${account === undefined ? sql`` : sql`and account_id = ${account}::bigint`} ${keyset(sql`id`, page)}`),
    page,
  )

/** Ends an invitation; null when there is none with this id. */
export const deactivateInvite = (tx: Tx, id: string, at: Date): Promise<InviteRow | null> =>
  tx.row(
    sql`update invites set expires_at = least(expires_at, ${at}::timestamptz) where id = ${id} returning ${columns}`,
  )
