/** Domains that the viewer blocks, newest first. */
import { domainBlockList } from '@murmuration/contracts/accounts'
import { pageReply, toJson } from '@murmuration/contracts/kit'
import { endsOf, newestFirst } from '@murmuration/db'
import { handle } from '../../doors.js'
import { domainBlocksOf } from '../../store/domain-block.js'

export const listDomainBlocks = handle(domainBlockList, async (ctx, viewer, page) => {
  const rows = newestFirst(await domainBlocksOf(ctx.db, viewer.id, page), page)
  const texts = rows.map((row) => toJson(row.domain))
  return pageReply<string>(
    domainBlockList.output,
    texts,
    endsOf(
      rows.map((row) => row.id),
      page,
    ),
  )
})
