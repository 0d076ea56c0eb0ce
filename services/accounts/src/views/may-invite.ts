/** Who may invite others: people whose role says so, and who may act themselves. */
import { fail } from '@murmuration/contracts/kit'
import { can, effectivePermissions } from '@murmuration/contracts/permissions'
import type { Context } from '../context.js'
import { stateOf } from '../domain/person-state.js'
import type { SessionRow } from '../store/session.js'
import { signedIn } from './signed-in.js'

/** The person behind a session; throws when they may not invite. */
export const mayInvite = async (
  ctx: Pick<Context, 'db' | 'tokens' | 'clock' | 'log'>,
  session: string,
): Promise<SessionRow> => {
  const person = await signedIn(ctx, session)
  const permissions = effectivePermissions(person.role_permissions, person.everyone_permissions)
  if (stateOf(person) !== 'ok' || !can(permissions, 'invite_users'))
    throw fail('forbidden', 'This action is not allowed')
  return person
}
