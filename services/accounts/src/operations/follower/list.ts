/** Who follows an account, newest first. */
import { followerList } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { peopleOf } from '../../store/follow.js'
import { otherAccount } from '../../views/other-account.js'
import { peoplePage } from '../../views/people-page.js'
import { showsPeople } from '../../views/people-visible.js'

export const listFollowers = handle(followerList, async (ctx, viewer, { id, ...page }) => {
  const account = await otherAccount(ctx, id)
  const me = viewer?.id ?? null
  const shown = page.limit > 0 && (await showsPeople(ctx, account, me))
  // One's own lists keep people one muted.
  const hide = { viewer: me === id ? null : me, at: ctx.clock.date() }
  const rows = shown ? await peopleOf(ctx.db, id, 'followers', page, hide) : []
  return peoplePage(ctx, followerList.output, page, rows)
})
