/** Reads parameters that change a policy, in the form of API v2 and in the older form of v1. */
import { PolicyChoice } from '@murmuration/contracts/entities'
import { errorText, fieldText, invalidField } from '@murmuration/contracts/kit'
import type { Policy } from '../core/decision.rules.js'

const NAMES = [
  'for_not_following',
  'for_not_followers',
  'for_new_accounts',
  'for_private_mentions',
  'for_limited_accounts',
  'for_bots',
] as const satisfies readonly (keyof Policy)[]

/** Returns the given choices of a notification policy. Throws an error that names the field for a value that is not a PolicyChoice. */
export const readChoices = (input: Partial<Record<keyof Policy, string | null | undefined>>): Partial<Policy> =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const given = input[name]
      if (given === undefined || given === null) return []
      const choice = PolicyChoice.safeParse(given)
      if (!choice.success)
        throw invalidField(errorText('{field} is not included in the list', { field: fieldText(name) }))
      return [[name, choice.data]]
    }),
  )

/** Reads choices in the older form of API v1: true filters notifications, false accepts them. */
export const readFilters = (input: {
  filter_not_following?: boolean | undefined
  filter_not_followers?: boolean | undefined
  filter_new_accounts?: boolean | undefined
  filter_private_mentions?: boolean | undefined
}): Partial<Policy> => {
  const choice = (given: boolean | undefined): PolicyChoice | undefined =>
    given === undefined ? undefined : given ? 'filter' : 'accept'
  const changes = {
    for_not_following: choice(input.filter_not_following),
    for_not_followers: choice(input.filter_not_followers),
    for_new_accounts: choice(input.filter_new_accounts),
    for_private_mentions: choice(input.filter_private_mentions),
  }
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}
