/** Local people who follow an author, a page at a time, with all that a feed decision needs. */
import { audience } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { activeFollowers, activePeople, listsHolding } from '../../store/audience.js'

const DAY = 86_400_000

export const getAudience = handle(audience, async (ctx, _viewer, input) => {
  const activeSince = new Date(ctx.clock.now() - input.activeDays * DAY)
  const people = input.about
    ? await activePeople(ctx.db, input.author, input.about, activeSince)
    : await activeFollowers(ctx.db, input.author, {
        after: input.after ?? '0',
        limit: input.limit,
        activeSince,
        notify: input.notify,
      })
  const lists = await listsHolding(
    ctx.db,
    input.author,
    people.map((one) => one.id),
  )
  const byOwner = Map.groupBy(lists, (list) => list.owner_id)
  return {
    followers: people.map((one) => ({
      ...one,
      lists: (byOwner.get(one.id) ?? []).map(({ id, exclusive, replies }) => ({ id, exclusive, replies })),
    })),
    next: !input.about && people.length === input.limit ? (people.at(-1)?.id ?? null) : null,
  }
})
