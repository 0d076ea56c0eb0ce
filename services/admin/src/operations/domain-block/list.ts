/** Blocked servers, newest block first. */
import { domainBlockList } from '@murmuration/contracts/admin'
import { pageReply } from '@murmuration/contracts/kit'
import { endsOf } from '@murmuration/db'
import { handle } from '../../doors.js'
import { blockPage } from '../../store/domain-block.js'
import { adminBlock } from '../../views/domain-block.js'

export const list = handle(domainBlockList, async (ctx, _viewer, page) => {
  const rows = await blockPage(ctx.db, page)
  return pageReply(
    domainBlockList.output,
    rows.map(adminBlock),
    endsOf(
      rows.map((row) => row.id),
      page,
    ),
  )
})
