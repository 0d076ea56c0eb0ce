/**
 * Rules of reports: which categories, comments and server rules are valid, and to which servers a report is forwarded.
 */
import { errorText, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { normaliseDomain } from '@murmuration/text'

export type Category = 'other' | 'spam' | 'legal' | 'violation'
const CATEGORIES: readonly string[] = ['other', 'spam', 'legal', 'violation']
/**
 * Maximum characters of the comment in a report of another server; more than for local reports. Longer comments are
 * cut.
 */
const MAX_REMOTE_COMMENT = 5_000

/** The category of a report; `fallback` if none is given. Throws 422 for an unknown category. */
export const categoryOf = (given: string | null | undefined, fallback: Category): Category => {
  if (given === null || given === undefined || given === '') return fallback
  if (!CATEGORIES.includes(given)) throw invalidField('Category is not included in the list')
  return given as Category
}

export const commentOf = (given: string | null | undefined): string => {
  const comment = (given ?? '').trim()
  const max = limits.accounts.reportCommentCharacters
  if ([...comment].length > max)
    throw invalidField(errorText('Comment is too long (maximum is {most} characters)', { most: max }))
  return comment
}

export const remoteCommentOf = (given: string): string => [...given.trim()].slice(0, MAX_REMOTE_COMMENT).join('')

/**
 * Throws 422 for server rules in a report of another category than `violation`, and for unknown rules. `known`: number
 * of the given ids that are current rules.
 */
export const checkRules = (category: Category, ruleIds: readonly string[], known: number): void => {
  if (ruleIds.length > 0 && category !== 'violation') throw invalidField('Rule ids must be blank')
  if (known !== ruleIds.length) throw invalidField('Rule ids does not reference valid rules')
}

/**
 * Domains to which a report is forwarded: the domain of the reported account and the domains in `parentDomains`, as far
 * as they are in `domains`. If `domains` is absent, only the domain of the target is returned. Empty when the target is
 * local or `forward` is false.
 */
export const forwardDomains = (
  wanted: { forward: boolean; domains: readonly string[] | undefined },
  target: string | null,
  parentDomains: readonly (string | null)[],
): string[] => {
  if (!wanted.forward || target === null) return []
  if (wanted.domains === undefined) return [target]
  const selected = new Set(wanted.domains.map((domain) => normaliseDomain(domain)))
  return [...new Set([target, ...parentDomains])].filter(
    (domain): domain is string => domain !== null && selected.has(normaliseDomain(domain)),
  )
}
