/** Domains that people type, in the one spelling that is stored and compared (A101). */
import { invalidField } from '@murmuration/contracts/kit'
import { normaliseDomain } from '@murmuration/text'

/** Also takes a handle's `@domain` or a trailing slash; throws when it is no domain. */
export const domainNameOf = (typed: string): string => {
  const bare = typed.trim().replace(/^@/, '').replace(/\/$/, '')
  if (bare === '') throw invalidField("Domain can't be blank")
  const domain = normaliseDomain(bare)
  if (domain === null) throw invalidField('Domain is not a valid domain name')
  return domain
}
