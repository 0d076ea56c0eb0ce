/** Accounts that the viewer features. */
import { endorsementList } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { endorsedBy } from '../../store/endorsement.js'
import { everybody, peoplePage, wholePage } from '../../views/people-page.js'

export const listEndorsements = handle(endorsementList, async (ctx, viewer, { limit, ...cursor }) => {
  const page = { ...cursor, limit: limit ?? wholePage }
  const rows = await endorsedBy(ctx.db, viewer.id, page)
  return limit === null ? everybody(ctx, rows) : peoplePage(ctx, endorsementList.output, page, rows)
})
