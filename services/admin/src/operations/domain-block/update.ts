/** Changes what a block does. */
import { domainBlockUpdate } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { changeBlock } from '../../changes/place-block.js'
import { changePolicy } from '../../core/change-policy.js'
import { handle } from '../../doors.js'
import { blockById } from '../../store/domain-block.js'
import { adminBlock } from '../../views/domain-block.js'

export const update = handle(domainBlockUpdate, async (ctx, viewer, input) => {
  const row = await changePolicy(ctx, async (tx) => {
    const before = await blockById(tx, input.id)
    if (!before) throw notFound()
    return changeBlock(ctx, tx, viewer, before, input)
  })
  return adminBlock(row)
})
