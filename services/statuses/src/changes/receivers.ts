/** Receivers of a status with all that the feed decision needs, a page of followers at a time. */
import { audience, type Follower, feedStandings } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import type { FeedStatus, Receiver } from '../domain/feed.js'
import type { Fact } from '../store/fact.js'

const PAGE = 1_000
/** Named people whose standing is asked; a status with more mentions is judged by these. */
const MOST_NAMED = 200

/** A loaded status as the feed decision sees it. */
export const feedStatus = (fact: Fact, original: Fact | undefined): FeedStatus => ({
  id: fact.id,
  authorId: fact.author_id,
  visibility: (['public', 'unlisted', 'private', 'direct'] as const)[fact.visibility] ?? 'direct',
  language: fact.language,
  isReply: fact.is_reply,
  inReplyToAccountId: fact.in_reply_to_account_id,
  mentions: fact.mentions,
  original: original ? { id: original.id, authorId: original.author_id, mentions: original.mentions } : null,
})

/** Everybody named in a status whom a receiver may not want to meet. */
export const namedIn = (status: FeedStatus): string[] =>
  [
    ...new Set([
      status.authorId,
      ...(status.original ? [status.original.authorId, ...status.original.mentions] : []),
      ...status.mentions,
    ]),
  ].slice(0, MOST_NAMED)

/** Adds standings to followers: one request, and a second one for replies when lists show replies between members. */
export const asReceivers = async (
  ctx: Context,
  status: FeedStatus,
  followers: readonly Follower[],
): Promise<Receiver[]> => {
  if (followers.length === 0) return []
  const answered = status.isReply ? status.inReplyToAccountId : null
  const owners = answered === null ? [] : followers.filter((one) => one.lists.some((list) => list.replies === 'list'))
  const [{ apart, following }, holders] = await Promise.all([
    ctx.call(feedStandings, { viewers: followers.map((one) => one.id), named: namedIn(status), answers: answered }),
    answered === null || owners.length === 0
      ? []
      : ctx
          .call(audience, {
            author: answered,
            about: owners.map((one) => one.id),
            activeDays: ctx.config.activeDays,
          })
          .then((page) => page.followers),
  ])
  const follows = new Set(following)
  const lists = new Map(holders.map((one) => [one.id, one.lists.map((list) => list.id)]))
  return followers.map((one) => ({
    ...one,
    apart: apart[one.id] ?? [],
    followsAnswered: follows.has(one.id),
    listsOfAnswered: lists.get(one.id) ?? [],
  }))
}

/** A page of local followers who are active. Of a direct status only those whom it mentions. */
export const followerPage = async (
  ctx: Context,
  status: Pick<FeedStatus, 'authorId' | 'visibility' | 'mentions'>,
  after: string | undefined,
): Promise<{ followers: Follower[]; next: string | null }> => {
  const { activeDays } = ctx.config
  if (status.visibility !== 'direct')
    return ctx.call(audience, { author: status.authorId, after, limit: PAGE, activeDays })
  const about = status.mentions.filter((id) => id !== status.authorId).slice(0, PAGE)
  if (about.length === 0) return { followers: [], next: null }
  const [page, { following }] = await Promise.all([
    ctx.call(audience, { author: status.authorId, about, activeDays }),
    ctx.call(feedStandings, { viewers: about, named: [], answers: status.authorId }),
  ])
  return { followers: page.followers.filter((one) => following.includes(one.id)), next: null }
}

/** The author’s own lists that hold the author. */
export const ownLists = async (ctx: Context, author: string): Promise<string[]> => {
  const { followers } = await ctx.call(audience, { author, about: [author], activeDays: ctx.config.activeDays })
  return followers.flatMap((one) => (one.id === author ? one.lists.map((list) => list.id) : []))
}
