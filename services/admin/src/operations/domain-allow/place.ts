/** An operator allows servers. */
import { domainAllowPlace } from '@murmuration/contracts/admin'
import { Failure } from '@murmuration/contracts/kit'
import { placeAllows } from '../../changes/place-allow.js'
import { changePolicy } from '../../core/change-policy.js'
import { otherDomain } from '../../domain/domain-block.js'
import { handle } from '../../doors.js'

const nameOf = (given: string, own: readonly string[]): string | null => {
  try {
    return otherDomain(given, own)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

export const place = handle(domainAllowPlace, async (ctx, _viewer, { domains }) => {
  const read = domains.map((given) => ({ given, domain: nameOf(given, [ctx.site.localDomain, ctx.site.webDomain]) }))
  const names = read.flatMap(({ domain }) => (domain === null ? [] : [domain]))
  const { fresh } = await changePolicy(ctx, (tx) => placeAllows(ctx, tx, null, names))
  const made = new Set(fresh.map((row) => row.domain))
  return {
    results: read.map(({ given, domain }) => ({
      domain: domain ?? given,
      // Named twice, a domain is allowed once and known then.
      outcome: domain === null ? ('invalid' as const) : made.delete(domain) ? ('allowed' as const) : ('known' as const),
    })),
  }
})
