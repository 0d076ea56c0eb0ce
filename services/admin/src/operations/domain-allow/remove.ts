/** No longer allows a server. */
import { domainAllowRemove, settleDomain } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { changePolicy } from '../../changes/publish-policy.js'
import { record } from '../../changes/record.js'
import { allowStamp } from '../../domain/domain-standing.js'
import { handle } from '../../doors.js'
import { allowById, deleteAllow } from '../../store/domain-allow.js'

export const remove = handle(domainAllowRemove, async (ctx, viewer, { id }) => {
  await changePolicy(ctx, async (tx) => {
    const row = await allowById(tx, id)
    if (!row) throw notFound()
    await deleteAllow(tx, id)
    await ctx.queue(tx, settleDomain, { domain: row.domain, stamp: allowStamp(row.domain) })
    await record(ctx, tx, viewer, { action: 'destroy_domain_allow', targetId: id, target: row.domain })
  })
  return {}
})
