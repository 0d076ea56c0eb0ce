/** Members of a list of the viewer. */
import { listMemberList } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { listOfOwner, membersOf } from '../../store/list.js'
import { everybody, peoplePage, wholePage } from '../../views/people-page.js'

export const listListMembers = handle(listMemberList, async (ctx, viewer, { id, limit, ...cursor }) => {
  if (!(await listOfOwner(ctx.db, viewer.id, id))) throw notFound()
  const page = { ...cursor, limit: limit ?? wholePage }
  const rows = await membersOf(ctx.db, id, page)
  return limit === null ? everybody(ctx, rows) : peoplePage(ctx, listMemberList.output, page, rows)
})
