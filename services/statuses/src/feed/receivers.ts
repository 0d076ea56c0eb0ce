/** Loads followers page by page, and decides which of their feeds receive a status. */
import { audience, type BlockState, type Follower, feedRelationships } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import type { LoadedStatus } from '../core/viewer/loaded-status.store.js'
import { type FeedStatus, placesFor, type Receiver } from './rules.js'

const PAGE = 1_000
/** Maximum number of named accounts whose relationships are requested. Further mentions of a status are ignored. */
const MAX_NAMED = 200

/** The fields of a loaded status that the feed decision needs. */
export const feedStatus = (status: LoadedStatus, original: LoadedStatus | undefined): FeedStatus => ({
  id: status.id,
  authorId: status.author_id,
  visibility: (['public', 'unlisted', 'private', 'direct'] as const)[status.visibility] ?? 'direct',
  language: status.language,
  isReply: status.is_reply,
  inReplyToAccountId: status.in_reply_to_account_id,
  mentions: status.mentions,
  original: original ? { id: original.id, authorId: original.author_id, mentions: original.mentions } : null,
})

/** Accounts that a status names: author, original author and mentions, at most 200. */
export const namedIn = (status: FeedStatus): string[] =>
  [
    ...new Set([
      status.authorId,
      ...(status.original ? [status.original.authorId, ...status.original.mentions] : []),
      ...status.mentions,
    ]),
  ].slice(0, MAX_NAMED)

/**
 * A page of followers. `plain`: ids of followers with default settings; `followers`: other followers with their
 * settings.
 */
export interface Page {
  plain: readonly string[]
  followers: readonly Follower[]
  /** On the first page: the author's own lists that contain the author. */
  own: readonly string[]
  next: string | null
}

const PLAIN: Omit<Follower, 'id'> = { reblogs: true, notify: false, languages: null, lists: [] }
const muted = (author: string): BlockState => ({
  id: author,
  blocking: false,
  muting: true,
  blocked_by: false,
  domain_blocking: false,
})

/**
 * Whether a status names only its author. Followers and author never block each other, so no relationships are needed.
 */
const namesOnlyAuthor = (status: FeedStatus): boolean =>
  !status.isReply && status.original === null && status.mentions.length === 0

/**
 * Returns blocks and mutes between each viewer and the accounts that the status names, and the viewers that follow the
 * author of its parent.
 */
const relationships = async (ctx: Context, status: FeedStatus, viewers: readonly string[]) => {
  if (viewers.length === 0 || namesOnlyAuthor(status)) return { apart: {}, following: [] }
  return ctx.call(feedRelationships, {
    viewers: [...viewers],
    named: namedIn(status),
    answers: status.isReply ? status.inReplyToAccountId : null,
  })
}

/** For a reply: the lists with `replies: 'list'` that contain the account it replies to, by owner. */
const listsOfParentAuthor = async (
  ctx: Context,
  status: FeedStatus,
  followers: readonly Follower[],
): Promise<Map<string, string[]>> => {
  const owners = followers.filter((one) => one.lists.some((list) => list.replies === 'list')).map((one) => one.id)
  if (!status.isReply || status.inReplyToAccountId === null || owners.length === 0) return new Map()
  const { activeDays } = ctx.config
  const page = await ctx.call(audience, { author: status.inReplyToAccountId, about: owners, activeDays })
  return new Map(page.followers.map((one) => [one.id, one.lists.map((list) => list.id)]))
}

export interface Decided {
  /** Accounts whose home feed receives the status. */
  homes: string[]
  lists: { owner: string; id: string }[]
  /** Accounts that want to see every boost of a status, even after the original or another boost. */
  wantsEach: ReadonlySet<string>
}

/**
 * Decides which feeds on a page of followers receive a status. For followers with default settings and without blocks
 * or mutes, the decision is made once.
 */
export const decide = async (ctx: Context, status: FeedStatus, page: Page): Promise<Decided> => {
  const [{ apart: blockStates, following }, parentLists] = await Promise.all([
    relationships(ctx, status, [...page.plain, ...page.followers.map((one) => one.id)]),
    listsOfParentAuthor(ctx, status, page.followers),
  ])
  const follows = new Set(following)
  const receiver = (follower: Follower): Receiver => ({
    ...follower,
    blockStates: [...(blockStates[follower.id] ?? []), ...(follower.muting ? [muted(status.authorId)] : [])],
    followsParentAuthor: follows.has(follower.id),
    listsOfParentAuthor: parentLists.get(follower.id) ?? [],
  })
  const alike = (followsParentAuthor: boolean): boolean =>
    placesFor(status, { id: '', ...PLAIN, blockStates: [], followsParentAuthor, listsOfParentAuthor: [] }).home
  const [withParentAuthor, without] = [alike(true), alike(false)]
  const isSpecial = (id: string): boolean =>
    id in blockStates || id === status.inReplyToAccountId || status.visibility === 'direct'
  const homes: string[] = []
  const lists: Decided['lists'] = []
  for (const id of page.plain) {
    const goes = isSpecial(id)
      ? placesFor(status, receiver({ id, ...PLAIN })).home
      : follows.has(id)
        ? withParentAuthor
        : without
    if (goes) homes.push(id)
  }
  for (const follower of page.followers) {
    const places = placesFor(status, receiver(follower))
    if (places.home) homes.push(follower.id)
    lists.push(...places.lists.map((list) => ({ owner: follower.id, id: list })))
  }
  const wantsEach = new Set(page.followers.filter((one) => one.aggregate === false).map((one) => one.id))
  return { homes, lists, wantsEach }
}

/** A page of active local followers. For a direct status, only the followers that the status mentions are returned. */
export const followerPage = async (
  ctx: Context,
  status: Pick<FeedStatus, 'authorId' | 'visibility' | 'mentions'>,
  after: string | undefined,
): Promise<Page> => {
  const { activeDays } = ctx.config
  if (status.visibility !== 'direct') {
    const page = await ctx.call(audience, { author: status.authorId, after, limit: PAGE, activeDays, compact: true })
    return { plain: page.plain ?? [], followers: page.followers, own: page.own ?? [], next: page.next }
  }
  const about = status.mentions.filter((id) => id !== status.authorId).slice(0, PAGE)
  if (about.length === 0) return { plain: [], followers: [], own: [], next: null }
  const [page, { following }] = await Promise.all([
    ctx.call(audience, { author: status.authorId, about, activeDays }),
    ctx.call(feedRelationships, { viewers: about, named: [], answers: status.authorId }),
  ])
  const followers = page.followers.filter((one) => following.includes(one.id))
  return { plain: [], followers, own: [], next: null }
}

/** The author's own lists that contain the author. */
export const ownLists = async (ctx: Context, author: string): Promise<string[]> => {
  const { followers } = await ctx.call(audience, { author, about: [author], activeDays: ctx.config.activeDays })
  return followers.flatMap((one) => (one.id === author ? one.lists.map((list) => list.id) : []))
}
