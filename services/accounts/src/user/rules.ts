/** Rank that staff need to change the user of an account. */
import { fail } from '@murmuration/contracts/kit'
import { overrides } from '@murmuration/contracts/permissions'

/** Throws 403 unless the actor has a higher position. Operators (null) are above all roles. */
export const checkRank = (actor: { position: number } | null, targetPosition: number | null): void => {
  if (actor !== null && !overrides(actor.position, targetPosition))
    throw fail('forbidden', 'This action is not allowed')
}
