/** An operator no longer allows a server. */
import { domainAllowLift } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { liftAllow } from '../../changes/place-allow.js'
import { changePolicy } from '../../core/change-policy.js'
import { otherDomain } from '../../domain/domain-block.js'
import { handle } from '../../doors.js'
import { allowOf } from '../../store/domain-allow.js'

export const lift = handle(domainAllowLift, async (ctx, _viewer, input) => {
  const domain = otherDomain(input.domain, [])
  await changePolicy(ctx, async (tx) => {
    const row = await allowOf(tx, domain)
    if (!row) throw notFound()
    await liftAllow(ctx, tx, null, row)
  })
  return {}
})
