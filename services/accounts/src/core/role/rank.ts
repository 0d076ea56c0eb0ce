/**
 * Checks the rank of staff who act on a local account: their role must have a higher position than the role of the
 * account.
 */
import { fail, type Viewer } from '@murmuration/contracts/kit'
import { overrides } from '@murmuration/contracts/permissions'
import type { Tx } from '@murmuration/db'
import { userByAccountId } from '../user/store.js'

/** Throws 403 unless the actor has a higher position. Operators (null) are above all roles, and remote accounts below all. */
export const checkRank = async (tx: Tx, by: Pick<Viewer, 'id'> | null, accountId: string): Promise<void> => {
  if (by === null) return
  const target = await userByAccountId(tx, accountId)
  if (target === null) return
  // The role is read from the database, because the permissions in the token may be outdated.
  const actor = await userByAccountId(tx, by.id)
  if (!overrides(actor?.role_position ?? -1, target.role_position))
    throw fail('forbidden', 'This action is not allowed')
}
