/** Conditions of staff's account list: how they are written for the database, and which accounts staff may delete. */
import { z } from 'zod'

const Address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** The address or range, or null when the text is neither. */
export const rangeOf = (given: string): string | null => {
  const text = given.trim().toLowerCase()
  return Address.safeParse(text).success ? text : null
}

/** A pattern of `like` for texts in lower case that begin with this one. */
export const prefixPattern = (given: string): string => `${given.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

/** The user name without the `@` that people type in front of it. */
export const nameOf = (given: string): string => given.trim().replace(/^@/, '')
