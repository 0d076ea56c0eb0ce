/** Links an identity at an external provider to a user who exists, with a line in the security log. */
import type { Tx } from '@murmuration/db'
import type { Context } from '../../context.js'
import { insertIdentity } from '../user/identity.store.js'
import { logCredentialChange } from './security-log.js'

/** Returns false if the identity belongs to a user already. */
export const linkProvider = async (
  ctx: Pick<Context, 'log'>,
  tx: Tx,
  identity: Parameters<typeof insertIdentity>[1],
): Promise<boolean> => {
  const isLinked = await insertIdentity(tx, identity)
  const { userId, provider } = identity
  if (isLinked) logCredentialChange(ctx, tx, userId, { message: 'a provider was linked', provider })
  return isLinked
}
