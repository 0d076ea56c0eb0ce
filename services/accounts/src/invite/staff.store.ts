/** Reads and changes invitations of all accounts, for staff. */
import { type Cursor, keyset, newestFirst, type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import type { InviteRow } from './store.js'

const columns = sql`id, account_id, code, uses, max_uses, expires_at, autofollow, comment, created_at`

export interface InviteFilter {
  /** Only invitations of this account. */
  account?: string | undefined
  /** True: only invitations that can still be used. False: only expired and used-up invitations. */
  usable?: boolean | undefined
}

const usesLeft = sql`(max_uses is null or uses < max_uses)`

/**
 * SQL of usable or unusable invitations of all accounts. Each query of the union reads an index in the order of the
 * page, except the query of invitations that expire later. Their number is bounded, because no such invitation lasts
 * longer than a week.
 */
const ofAll = (usable: boolean, page: Cursor, now: Date): Sql => {
  const tail = keyset(sql`id`, page)
  const parts = usable
    ? [
        sql`(select ${columns} from invites where expires_at is null and ${usesLeft} ${tail})`,
        sql`(select ${columns} from running where true ${tail})`,
      ]
    : [
        sql`(select ${columns} from invites where uses >= max_uses ${tail})`,
        sql`(select ${columns} from invites where expires_at <= ${now} and ${usesLeft} ${tail})`,
      ]
  return sql`with running as materialized (select ${columns} from invites where expires_at > ${now} and ${usesLeft})
    select ${columns} from (${parts[0]} union all ${parts[1]}) found where true ${tail}`
}

/**
 * SQL of usable or unusable invitations of one account. An account has few invitations, so they are filtered without an
 * index.
 */
const ofOne = (account: string, usable: boolean, page: Cursor, now: Date): Sql =>
  sql`select ${columns} from invites where account_id = ${account}::bigint
    and (coalesce(expires_at > ${now}, true) and ${usesLeft}) = ${usable} ${keyset(sql`id`, page)}`

/** SQL of the invitations that match the filter, in the order of their ids. */
export const inviteQuery = ({ account, usable }: InviteFilter, page: Cursor, now: Date): Sql => {
  if (usable !== undefined) return account === undefined ? ofAll(usable, page, now) : ofOne(account, usable, page, now)
  const ofAccount = account === undefined ? sql`` : sql`and account_id = ${account}::bigint`
  return sql`select ${columns} from invites where true ${ofAccount} ${keyset(sql`id`, page)}`
}

/** One page of invitations, newest first. */
export const invitePage = async (db: Reader, filter: InviteFilter, page: Cursor, now: Date): Promise<InviteRow[]> =>
  newestFirst(await db.rows<InviteRow>(inviteQuery(filter, page, now)), page)

/** The invitation with this id, locked until the transaction ends. */
export const lockInvite = (tx: Tx, id: string): Promise<InviteRow | null> =>
  tx.row(sql`select ${columns} from invites where id = ${id} for update`)

export const setInviteExpiry = (tx: Tx, id: string, at: Date | null): Promise<number> =>
  tx.run(sql`update invites set expires_at = ${at} where id = ${id}`)

/** Ends an invitation and returns it. Returns null if the invitation does not exist. */
export const deactivateInvite = (tx: Tx, id: string, at: Date): Promise<InviteRow | null> =>
  tx.row(
    sql`update invites set expires_at = least(expires_at, ${at}::timestamptz) where id = ${id} returning ${columns}`,
  )
