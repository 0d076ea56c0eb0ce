/** Converts filters of the account list for the database. */
import { domainToUnicode } from 'node:url'
import type { ModeratedFilter } from '@murmuration/contracts/accounts'
import { type ErrorText, errorText } from '@murmuration/contracts/kit'
import { asciiEmail } from '@murmuration/text'
import { z } from 'zod'

const Address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** An IP address or CIDR range, or null if the text is neither. */
export const rangeOf = (given: string): string | null => {
  const text = given.trim().toLowerCase()
  return Address.safeParse(text).success ? text : null
}

/** A `like` pattern for lower-case texts that begin with `given`. */
export const prefixPattern = (given: string): string => `${given.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

/** The user name without a leading `@`. */
export const nameOf = (given: string): string => given.trim().replace(/^@/, '')

/** Whether a filter reads the user row, which only local accounts have. */
export const needsLogin = (filter: ModeratedFilter): boolean =>
  filter.origin === 'local' ||
  filter.status === 'pending' ||
  filter.status === 'disabled' ||
  filter.usable === true ||
  filter.staff === true ||
  [filter.role_ids, filter.invited_by, filter.email, filter.ip].some((one) => one !== undefined)

/**
 * Returns the filter with `ip` as a range, and without empty prefixes, because an empty prefix matches every account.
 * Returns null if the filter matches no account.
 */
export const filledOf = ({ username, display_name, email, ip, ...others }: ModeratedFilter): ModeratedFilter | null => {
  const range = ip === undefined ? undefined : rangeOf(ip)
  if (range === null || (email === '' && others.origin === 'remote')) return null
  const name = username === undefined ? '' : nameOf(username)
  return {
    ...others,
    // Only local accounts have an e-mail address, so an empty prefix of addresses still restricts the search to local accounts.
    ...(email === '' ? { origin: 'local' } : {}),
    ...(name === '' ? {} : { username: name }),
    ...(display_name ? { display_name } : {}),
    ...(email ? { email: asciiEmail(email) } : {}),
    ...(range === undefined ? {} : { ip: range }),
  }
}

/** Beginning of an address whose last label of the domain may be the beginning of an internationalised one. */
export interface UnfinishedAddress {
  /** The address before the label, in ASCII. */
  before: string
  /** The label in Unicode. */
  label: string
}

/** Returns null for a text without a domain, or with an empty last label, which a search by prefix finds anyway. */
export const unfinishedAddress = (given: string): UnfinishedAddress | null => {
  const email = given.trim()
  const typed = /@(?:[^@]*[.\u3002\uff0e\uff61])?([^@.\u3002\uff0e\uff61]+)$/.exec(email)?.[1]
  if (typed === undefined) return null
  const before = asciiEmail(email.slice(0, -typed.length)).toLowerCase()
  return { before, label: typed.normalize('NFKC').toLowerCase() }
}

/**
 * Prefix of the ASCII forms of all addresses that begin with this one and whose label is not in ASCII. The ASCII form of
 * such a label begins with its ASCII characters (Punycode).
 */
export const asciiPrefix = ({ before, label }: UnfinishedAddress): string =>
  `${before}xn--${label.replace(/[^\x00-\x7f]/g, '')}`

/** Whether a stored address with the prefix `asciiPrefix` begins with this one in Unicode. */
export const beginsWith = (stored: string, { before, label }: UnfinishedAddress): boolean => {
  const [found = ''] = stored.slice(before.length).split('.')
  return domainToUnicode(found).startsWith(label)
}

/** Text about how staff can change the filters of a search so that fewer accounts match. */
export const adviceFor = (filter: ModeratedFilter): ErrorText[] => {
  const { username, display_name, email, ip, domain } = filter
  const given = [
    ...(username === undefined ? [] : [errorText('more letters of the user name')]),
    ...(display_name === undefined ? [] : [errorText('more letters of the name')]),
    ...(email === undefined ? [] : [errorText('more letters of the e-mail address')]),
    ...(ip?.includes('/') ? [errorText('a smaller range of IP addresses')] : []),
  ]
  // The advice names a domain only if the search may find remote accounts, because local accounts have no domain.
  const all = needsLogin(filter) || domain !== undefined ? given : [...given, errorText('a domain')]
  return all.length > 0 ? all : [errorText('the first letters of a user name')]
}
