/** All blocks by domain, for operators. */
import { domainBlockFind } from '@murmuration/contracts/admin'
import { handle } from '../../doors.js'
import { blocksAfter } from '../../store/domain-block.js'
import { adminBlockOf } from '../../views/domain-block.js'

export const find = handle(domainBlockFind, async (ctx, _viewer, { after, limit }) => {
  const rows = await blocksAfter(ctx.db, after, limit)
  return { blocks: rows.map(adminBlockOf), next: rows.length < limit ? null : (rows.at(-1)?.domain ?? null) }
})
