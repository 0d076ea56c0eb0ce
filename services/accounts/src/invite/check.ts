/** Checks whether an invitation can be used, and whether a user may invite. */
import type { Invite } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { can, effectivePermissions } from '@murmuration/contracts/permissions'
import type { Context } from '../context.js'
import { signedIn } from '../core/session/signed-in.js'
import type { SessionRow } from '../core/session/store.js'
import { stateOf } from '../core/user/state.rules.js'
import { userByAccountId } from '../core/user/store.js'
import type { UsableInvite } from './rules.js'
import { type InviteRow, inviteByCode } from './store.js'

/** Whether an invitation is neither used up nor expired. */
const isLeft = (row: InviteRow, now: number): boolean =>
  (row.max_uses === null || row.uses < row.max_uses) && (row.expires_at === null || row.expires_at.getTime() > now)

/**
 * The invitation with this code. Returns null if the invitation is unknown, used up or expired, or if its creator may
 * no longer act (A099).
 */
export const usableInvite = async (
  ctx: Pick<Context, 'db' | 'clock'>,
  code: string,
): Promise<(UsableInvite & { username: string; autofollow: boolean }) | null> => {
  const row = await inviteByCode(ctx.db, code)
  if (!row || !isLeft(row, ctx.clock.now())) return null
  const inviter = await userByAccountId(ctx.db, row.account_id)
  if (!inviter || stateOf(inviter) !== 'ok') return null
  const permissions = effectivePermissions(inviter.role_permissions, inviter.everyone_permissions)
  return {
    id: row.id,
    account_id: row.account_id,
    bypasses: can(permissions, 'invite_bypass_approval'),
    username: inviter.username,
    autofollow: row.autofollow,
  }
}

export const inviteOf = (row: InviteRow, now: number): Invite => ({
  id: row.id,
  code: row.code,
  uses: row.uses,
  max_uses: row.max_uses,
  expires_at: row.expires_at?.toISOString() ?? null,
  autofollow: row.autofollow,
  comment: row.comment,
  created_at: row.created_at.toISOString(),
  usable: isLeft(row, now),
})

/** Returns the user of a session. Throws if the user may not invite. */
export const mayInvite = async (
  ctx: Pick<Context, 'db' | 'tokens' | 'clock' | 'log'>,
  session: string,
): Promise<SessionRow> => {
  const user = await signedIn(ctx, session)
  const permissions = effectivePermissions(user.role_permissions, user.everyone_permissions)
  if (stateOf(user) !== 'ok' || !can(permissions, 'invite_users')) throw fail('forbidden', 'This action is not allowed')
  return user
}
