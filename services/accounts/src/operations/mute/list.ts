/** Accounts that the viewer mutes, newest first, with when that ends. */
import { splice } from '@murmuration/cards'
import { muteList } from '@murmuration/contracts/accounts'
import { toJson } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { mutedBy } from '../../store/mute.js'
import { peoplePage } from '../../views/people-page.js'

export const listMutes = handle(muteList, async (ctx, viewer, page) => {
  const rows = await mutedBy(ctx.db, viewer.id, page, ctx.clock.date())
  return peoplePage(ctx, muteList.output, page, rows, (card, row) =>
    splice(card, { mute_expires_at: toJson(row.expires_at?.toISOString() ?? null) }),
  )
})
