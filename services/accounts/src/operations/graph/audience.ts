/** Local people who follow an author, a page at a time, with all that a feed decision needs. */
import { audience } from '@murmuration/contracts/accounts'
import type { Context } from '../../context.js'
import { handle } from '../../doors.js'
import { activeFollowers, activePeople, audiencePage, type FollowerRow, listsHolding } from '../../store/audience.js'

const DAY = 86_400_000
const PAGE = 1_000

/** Followers with those of their lists that hold the author. */
const withLists = async <Row extends FollowerRow>(
  ctx: Context,
  author: string,
  people: readonly Row[],
  besides: readonly string[] = [],
) => {
  const lists = await listsHolding(ctx.db, author, [...people.map((one) => one.id), ...besides])
  const byOwner = Map.groupBy(lists, (list) => list.owner_id)
  const followers = people.map((one) => ({
    ...one,
    lists: (byOwner.get(one.id) ?? []).map(({ id, exclusive, replies }) => ({ id, exclusive, replies })),
  }))
  return { followers, own: (byOwner.get(author) ?? []).map((list) => list.id) }
}

export const getAudience = handle(audience, async (ctx, _viewer, input) => {
  const { limit = PAGE } = input
  const activeSince = new Date(ctx.clock.now() - input.activeDays * DAY)
  if (input.compact && !input.about && !input.notify) {
    const page = await audiencePage(ctx.db, input.author, {
      after: input.after ?? '0',
      limit,
      activeSince,
      now: ctx.clock.date(),
    })
    const isFirst = input.after === undefined
    const { followers, own } = await withLists(ctx, input.author, page.others ?? [], isFirst ? [input.author] : [])
    return {
      plain: page.plain?.split(',') ?? [],
      followers,
      ...(isFirst ? { own } : {}),
      next: page.size === limit ? page.last : null,
    }
  }
  const people = input.about
    ? await activePeople(ctx.db, input.author, input.about, activeSince)
    : await activeFollowers(ctx.db, input.author, {
        after: input.after ?? '0',
        limit,
        activeSince,
        notify: input.notify,
      })
  const { followers } = await withLists(ctx, input.author, people)
  return {
    followers,
    next: !input.about && people.length === limit ? (people.at(-1)?.id ?? null) : null,
  }
})
