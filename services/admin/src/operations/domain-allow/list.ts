/** Allowed servers, newest first. */
import { domainAllowList } from '@murmuration/contracts/admin'
import { pageReply } from '@murmuration/contracts/kit'
import { endsOf } from '@murmuration/db'
import { handle } from '../../doors.js'
import { allowPage } from '../../store/domain-allow.js'
import { adminAllow } from '../../views/domain-block.js'

export const list = handle(domainAllowList, async (ctx, _viewer, page) => {
  const rows = await allowPage(ctx.db, page)
  return pageReply(
    domainAllowList.output,
    rows.map(adminAllow),
    endsOf(
      rows.map((row) => row.id),
      page,
    ),
  )
})
