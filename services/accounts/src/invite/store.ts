/** Reads and writes invitations, with their number of uses. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface InviteRow {
  id: string
  account_id: string
  code: string
  uses: number
  max_uses: number | null
  expires_at: Date | null
  autofollow: boolean
  comment: string
  created_at: Date
}

const columns = sql`i.id, i.account_id, i.code, i.uses, i.max_uses, i.expires_at, i.autofollow, i.comment, i.created_at`

export const insertInvite = async (tx: Tx, invite: InviteRow): Promise<void> => {
  await tx.run(sql`insert into invites (id, account_id, code, uses, max_uses, expires_at, autofollow, comment, created_at)
    values (${invite.id}, ${invite.account_id}, ${invite.code}, ${invite.uses}, ${invite.max_uses},
      ${invite.expires_at}, ${invite.autofollow}, ${invite.comment}, ${invite.created_at})`)
}

/** Invitations of an account, newest first, at most 100. */
export const invitesOf = (db: Reader, accountId: string): Promise<InviteRow[]> =>
  db.rows(sql`select ${columns} from invites i where i.account_id = ${accountId} order by i.id desc limit 100`)

export const inviteByCode = (db: Reader, code: string): Promise<InviteRow | null> =>
  db.row(sql`select ${columns} from invites i where i.code = ${code}`)

export const countInvites = async (db: Reader, accountId: string): Promise<number> =>
  (await db.row<{ count: number }>(sql`select count(*)::int as count from invites where account_id = ${accountId}`))
    ?.count ?? 0

/** Ends an invitation of this account and returns it. Null if the account has no such invitation. */
export const endInvite = (tx: Tx, accountId: string, id: string, at: Date): Promise<InviteRow | null> =>
  tx.row(sql`update invites i set expires_at = least(i.expires_at, ${at}::timestamptz)
    where i.id = ${id} and i.account_id = ${accountId} returning ${columns}`)

/** Counts one use; false if the invitation is used up or expired. Concurrent calls do not exceed the limit (F066). */
export const useInvite = async (tx: Tx, id: string, at: Date): Promise<boolean> =>
  (await tx.run(sql`update invites set uses = uses + 1
    where id = ${id} and (max_uses is null or uses < max_uses) and (expires_at is null or expires_at > ${at})`)) === 1

/** Account id of the inviter whom an account has to follow (`autofollow`), else null. */
export const inviterToFollow = async (db: Reader, accountId: string): Promise<string | null> =>
  (
    await db.row<{ account_id: string }>(sql`select i.account_id from users u join sign_ups s on s.user_id = u.id
      join invites i on i.id = s.invite_id where u.account_id = ${accountId} and i.autofollow`)
  )?.account_id ?? null
