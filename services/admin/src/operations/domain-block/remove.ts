/** Lifts a block. */
import { domainBlockRemove } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { tellOfBlocks } from '../../changes/domain-block.js'
import { changePolicy } from '../../core/change-policy.js'
import { handle } from '../../doors.js'
import { blockById, deleteBlock } from '../../store/domain-block.js'

export const remove = handle(domainBlockRemove, async (ctx, viewer, { id }) => {
  await changePolicy(ctx, async (tx) => {
    const before = await blockById(tx, id)
    if (!before) throw notFound()
    await deleteBlock(tx, id)
    await tellOfBlocks(ctx, tx, viewer, [{ before, after: null }])
  })
  return {}
})
