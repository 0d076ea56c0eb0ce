/** Allows a server; one that is allowed already is given back as it is, and nothing is logged. */
import { domainAllowCreate } from '@murmuration/contracts/admin'
import { placeAllows } from '../../changes/place-allow.js'
import { changePolicy } from '../../core/change-policy.js'
import { otherDomain } from '../../domain/domain-block.js'
import { handle } from '../../doors.js'
import { allowOf, type DomainAllowRow } from '../../store/domain-allow.js'
import { adminAllow } from '../../views/domain-block.js'

export const create = handle(domainAllowCreate, async (ctx, viewer, input) => {
  const domain = otherDomain(input.domain, [ctx.site.localDomain, ctx.site.webDomain])
  const known = await allowOf(ctx.db, domain)
  if (known) return adminAllow(known)
  const { all } = await changePolicy(ctx, (tx) => placeAllows(ctx, tx, viewer, [domain]))
  return adminAllow(all[0] as DomainAllowRow)
})
