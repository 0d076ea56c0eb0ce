/** An operator limits or blocks a server, or changes its block. */
import { domainBlockPlace } from '@murmuration/contracts/admin'
import { changeBlock, newBlock, placeNew } from '../../changes/place-block.js'
import { changePolicy } from '../../core/change-policy.js'
import { handle } from '../../doors.js'
import { blocksOf } from '../../store/domain-block.js'
import { adminBlock } from '../../views/domain-block.js'

export const place = handle(domainBlockPlace, async (ctx, _viewer, input) => {
  const fresh = newBlock(ctx, input.domain, input)
  const row = await changePolicy(ctx, async (tx) => {
    const [before] = await blocksOf(tx, [fresh.domain])
    if (before) return changeBlock(ctx, tx, null, before, input)
    await placeNew(ctx, tx, null, fresh)
    return fresh
  })
  return adminBlock(row)
})
