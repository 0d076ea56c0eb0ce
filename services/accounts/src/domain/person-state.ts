/** Whether a local person may act, and why not. */
import type { ResolvedToken } from '@murmuration/contracts/accounts'

export interface PersonFacts {
  confirmed: boolean
  approved: boolean
  disabled: boolean
  suspended: boolean
  memorial: boolean
  moved: boolean
}

/** The first hindrance in the order in which clients are told (errors.md 2). */
export const stateOf = (person: PersonFacts): ResolvedToken['state'] => {
  if (person.suspended) return 'suspended'
  if (!person.confirmed) return 'unconfirmed'
  if (!person.approved) return 'unapproved'
  return person.disabled || person.memorial || person.moved ? 'disabled' : 'ok'
}
