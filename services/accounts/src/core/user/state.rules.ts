/** Decides whether a local user may act, and names the reason if not. */
import type { ResolvedToken } from '@murmuration/contracts/accounts'

export interface UserFlags {
  confirmed: boolean
  approved: boolean
  disabled: boolean
  suspended: boolean
  memorial: boolean
  moved: boolean
  /** True if the role of the user requires a second factor, and the user has none. */
  lacks_factor: boolean
}

/** Returns the first state of the user that prevents requests, in the order that clients rely on. Returns `ok` if the user may act. */
export const stateOf = (user: UserFlags): ResolvedToken['state'] => {
  if (user.suspended) return 'suspended'
  if (!user.confirmed) return 'unconfirmed'
  if (!user.approved) return 'unapproved'
  return user.disabled || user.memorial || user.moved || user.lacks_factor ? 'disabled' : 'ok'
}

/**
 * State of a user for pages. A missing second factor is a separate state, because a page lets the user add one (D010).
 */
export const obstacleOf = (user: UserFlags): ResolvedToken['state'] | 'factor' => {
  const state = stateOf({ ...user, lacks_factor: false })
  return state === 'ok' && user.lacks_factor ? 'factor' : state
}
