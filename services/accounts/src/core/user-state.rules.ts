/** Whether a local person may act, and why not. */
import type { ResolvedToken } from '@murmuration/contracts/accounts'

export interface UserFacts {
  confirmed: boolean
  approved: boolean
  disabled: boolean
  suspended: boolean
  memorial: boolean
  moved: boolean
  /** The role demands a second factor, and there is none. */
  lacks_factor: boolean
}

/** The first hindrance in the order in which clients are told (errors.md 2). */
export const stateOf = (person: UserFacts): ResolvedToken['state'] => {
  if (person.suspended) return 'suspended'
  if (!person.confirmed) return 'unconfirmed'
  if (!person.approved) return 'unapproved'
  return person.disabled || person.memorial || person.moved || person.lacks_factor ? 'disabled' : 'ok'
}

/** The same for pages, where the missing second factor can be added (D010). */
export const hindranceOf = (person: UserFacts): ResolvedToken['state'] | 'factor' => {
  const state = stateOf({ ...person, lacks_factor: false })
  return state === 'ok' && person.lacks_factor ? 'factor' : state
}
