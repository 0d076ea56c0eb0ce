/** Validates and normalises access rules: IP ranges, e-mail domains, e-mail addresses and usernames. */
import { invalidField } from '@murmuration/contracts/kit'
import { normaliseDomain } from '@murmuration/text'
import { z } from 'zod'

/**
 * Maximum number of access rules of all kinds together. It is limited, because each rule is part of the policy that all
 * services receive.
 */
export const MAX_ACCESS_RULES = 40_000

const V4 = z.ipv4()
const V6 = z.ipv6()
const RANGE = z.union([z.cidrv4(), z.cidrv6()])

/** Normalises an IP range to an address with prefix length. PostgreSQL clears the bits after the prefix. */
export const rangeOf = (given: string): string => {
  const text = given.trim().toLowerCase()
  if (text === '') throw invalidField("Ip can't be blank")
  if (V4.safeParse(text).success) return `${text}/32`
  if (V6.safeParse(text).success) return `${text}/128`
  if (!RANGE.safeParse(text).success) throw invalidField('Ip is invalid')
  return text
}

export const providerOf = (given: string): string => {
  if (given.trim() === '') throw invalidField("Domain can't be blank")
  const domain = normaliseDomain(given.trim().replace(/^@/, ''))
  if (domain === null) throw invalidField('Domain is not a valid domain name')
  return domain
}

/** Parses an e-mail address, or the hash of an e-mail address as shown in lists of canonical e-mail blocks. */
export const addressOf = (given: string): { email: string } | { hash: string } => {
  const text = given.trim().toLowerCase()
  if (text === '') throw invalidField("Email can't be blank")
  if (/^[0-9a-f]{64}$/.test(text)) return { hash: text }
  const [local, domain, ...more] = text.split('@')
  if (!local || more.length > 0 || normaliseDomain(domain ?? '') === null) throw invalidField('Email is invalid')
  return { email: text }
}

export const nameOf = (given: string): string => {
  const name = given.trim().replace(/^@/, '').toLowerCase()
  if (name === '') throw invalidField("Username can't be blank")
  if (!/^[a-z0-9_]{1,30}$/.test(name)) throw invalidField('Username is invalid')
  return name
}
