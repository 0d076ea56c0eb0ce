/** Converts filters of the account list for the database. */
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
