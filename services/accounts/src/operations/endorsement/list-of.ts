/** Accounts that somebody features. */
import { endorsementListOf } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { endorsedBy } from '../../store/endorsement.js'
import { otherAccount } from '../../views/other-account.js'
import { peoplePage } from '../../views/people-page.js'

export const listEndorsementsOf = handle(endorsementListOf, async (ctx, _viewer, { id, ...page }) => {
  const account = await otherAccount(ctx, id)
  const rows = account.suspended ? [] : await endorsedBy(ctx.db, id, page)
  return peoplePage(ctx, endorsementListOf.output, page, rows)
})
