/** Normalises domains of requests (A101). */
import { invalidField } from '@murmuration/contracts/kit'
import { normaliseDomain } from '@murmuration/text'

/** Returns the normalised domain of a text. A leading `@` and a trailing slash are accepted. Throws if the text is no domain. */
export const domainNameOf = (typed: string): string => {
  const bare = typed.trim().replace(/^@/, '').replace(/\/$/, '')
  if (bare === '') throw invalidField("Domain can't be blank")
  const domain = normaliseDomain(bare)
  if (domain === null) throw invalidField('Domain is not a valid domain name')
  return domain
}
