/** An operator lifts the block of a server. */
import { domainBlockLift } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { tellOfBlocks } from '../../changes/domain-block.js'
import { changePolicy } from '../../core/change-policy.js'
import { otherDomain } from '../../domain/domain-block.js'
import { handle } from '../../doors.js'
import { blocksOf, deleteBlock } from '../../store/domain-block.js'

export const lift = handle(domainBlockLift, async (ctx, _viewer, input) => {
  const domain = otherDomain(input.domain, [])
  await changePolicy(ctx, async (tx) => {
    const [before] = await blocksOf(tx, [domain])
    if (!before) throw notFound()
    await deleteBlock(tx, before.id)
    await tellOfBlocks(ctx, tx, null, [{ before, after: null }])
  })
  return {}
})
