/** No longer allows a server. */
import { domainAllowRemove } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { liftAllow } from '../../changes/place-allow.js'
import { changePolicy } from '../../core/change-policy.js'
import { handle } from '../../doors.js'
import { allowById } from '../../store/domain-allow.js'

export const remove = handle(domainAllowRemove, async (ctx, viewer, { id }) => {
  await changePolicy(ctx, async (tx) => {
    const row = await allowById(tx, id)
    if (!row) throw notFound()
    await liftAllow(ctx, tx, viewer, row)
  })
  return {}
})
