/** Invitations of everyone, for staff. */
import { type Cursor, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'
import type { InviteRow } from '../store/invite.js'

const columns = sql`id, account_id, code, uses, max_uses, expires_at, autofollow, comment, created_at`

export interface InviteFilter {
  /** Only invitations of this account. */
  account?: string | undefined
  /** Only invitations with uses and time left, or only others. */
  usable?: boolean | undefined
}

/** One page, newest first. */
export const invitePage = async (
  db: Reader,
  { account, usable }: InviteFilter,
  page: Cursor,
  now: Date,
): Promise<InviteRow[]> => {
  const ofAccount = account === undefined ? sql`` : sql`and account_id = ${account}::bigint`
  const inState =
    usable === undefined
      ? sql``
      : sql`and (coalesce(expires_at > ${now}, true) and coalesce(uses < max_uses, true)) = ${usable}`
  return newestFirst(
    await db.rows<InviteRow>(
      sql`select ${columns} from invites where true ${ofAccount} ${inState} ${keyset(sql`id`, page)}`,
    ),
    page,
  )
}

/** One invitation, locked until the transaction ends. */
export const lockInvite = (tx: Tx, id: string): Promise<InviteRow | null> =>
  tx.row(sql`select ${columns} from invites where id = ${id} for update`)

export const setInviteExpiry = (tx: Tx, id: string, at: Date | null): Promise<number> =>
  tx.run(sql`update invites set expires_at = ${at} where id = ${id}`)

/** Ends an invitation; null when there is none with this id. */
export const deactivateInvite = (tx: Tx, id: string, at: Date): Promise<InviteRow | null> =>
  tx.row(
    sql`update invites set expires_at = least(expires_at, ${at}::timestamptz) where id = ${id} returning ${columns}`,
  )
