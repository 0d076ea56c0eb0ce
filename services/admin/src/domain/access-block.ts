/** Who may not come in, as somebody types it: one spelling for each range of addresses, each e-mail provider, each user name. */
import { isIP } from 'node:net'
import { invalidField } from '@murmuration/contracts/kit'
import { normaliseDomain } from '@murmuration/text'

/** Rules of all kinds together; as many as are published. */
export const MOST_ACCESS_RULES = 40_000

/** A range with its length, as it was typed otherwise; PostgreSQL clears the bits behind the length. */
export const rangeOf = (given: string): string => {
  const text = given.trim().toLowerCase()
  if (text === '') throw invalidField("Ip can't be blank")
  const [address = '', bits, ...rest] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
  if (rest.length > 0 || address.includes('%') || length < 0 || length > most) throw invalidField('Ip is invalid')
  return `${address}/${length}`
}

export const providerOf = (given: string): string => {
  if (given.trim() === '') throw invalidField("Domain can't be blank")
  const domain = normaliseDomain(given.trim().replace(/^@/, ''))
  if (domain === null) throw invalidField('Domain is not a valid domain name')
  return domain
}

export const nameOf = (given: string): string => {
  const name = given.trim().replace(/^@/, '').toLowerCase()
  if (name === '') throw invalidField("Username can't be blank")
  if (!/^[a-z0-9_]{1,30}$/.test(name)) throw invalidField('Username is invalid')
  return name
}
