/** One block of another server. */
import { domainBlockShow } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { blockById } from '../../store/domain-block.js'
import { adminBlock } from '../../views/domain-block.js'

export const show = handle(domainBlockShow, async (ctx, _viewer, { id }) => {
  const row = await blockById(ctx.db, id)
  if (!row) throw notFound()
  return adminBlock(row)
})
