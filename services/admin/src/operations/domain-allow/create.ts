/** Allows a server; one that is allowed already is given back as it is, and nothing is logged. */
import { domainAllowCreate, settleDomain } from '@murmuration/contracts/admin'
import { invalidField } from '@murmuration/contracts/kit'
import { changePolicy } from '../../changes/publish-policy.js'
import { record } from '../../changes/record.js'
import { otherDomain } from '../../domain/domain-block.js'
import { allowStamp } from '../../domain/domain-standing.js'
import { MOST_DOMAINS } from '../../domain/policy.js'
import { handle } from '../../doors.js'
import { allowOf, insertAllow } from '../../store/domain-allow.js'
import { countDomains } from '../../store/domain-block.js'
import { adminAllow } from '../../views/domain-block.js'

export const create = handle(domainAllowCreate, async (ctx, viewer, input) => {
  const domain = otherDomain(input.domain, [ctx.site.localDomain, ctx.site.webDomain])
  const known = await allowOf(ctx.db, domain)
  if (known) return adminAllow(known)
  const row = await changePolicy(ctx, async (tx) => {
    // Somebody else may have been first; writers of the policy wait for each other, so this look is certain.
    const first = await allowOf(tx, domain)
    if (first) return first
    if ((await countDomains(tx)) >= MOST_DOMAINS)
      throw invalidField(`Domain is one too many (maximum is ${MOST_DOMAINS})`)
    const fresh = { id: ctx.ids.next(), domain, created_at: ctx.clock.date() }
    await insertAllow(tx, fresh)
    await ctx.queue(tx, settleDomain, { domain, stamp: allowStamp(domain) })
    await record(ctx, tx, viewer, { action: 'create_domain_allow', targetId: fresh.id, target: domain })
    return fresh
  })
  return adminAllow(row)
})
