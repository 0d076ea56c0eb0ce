/** A page of the list of blocks as other servers read it. */
import { domainBlockExport } from '@murmuration/contracts/admin'
import { COLUMNS, isListed, rowOf } from '../../domain/domain-list.js'
import { handle } from '../../doors.js'
import { blocksAfter } from '../../store/domain-block.js'

const PAGE = 500

export const exportPage = handle(domainBlockExport, async (ctx, _viewer, { after }) => {
  const blocks = await blocksAfter(ctx.db, after, PAGE)
  const rows = blocks.filter(isListed).map(rowOf)
  return {
    rows: after === '' ? [[...COLUMNS], ...rows] : rows,
    next: blocks.length < PAGE ? null : (blocks.at(-1)?.domain ?? null),
  }
})
