/** Inboxes that receive an activity. */
import {
  type AccountRecord,
  accountRecords,
  blockerInboxes,
  followedElsewhere,
  remoteInboxes,
} from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import { reachOf, type StatusFacts } from './reach.rules.js'

const PAGE = 1_000
/** Beyond this many pages the followers are more than the whole network has. */
const MOST_PAGES = 200

type Page = { inboxes: string[]; next: string | null }

const allPages = async (read: (page: { limit: number; after?: string }) => Promise<Page>): Promise<string[]> => {
  const found: string[] = []
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const { inboxes, next } = await read({ limit: PAGE, ...(after ? { after } : {}) })
    found.push(...inboxes)
    if (next === null) break
    after = next
  }
  return found
}

/**
 * Inboxes of all remote followers of this account, page by page. Servers that `speaker` (the actor of the activity) blocks are
 * left out, also while follows from there are still being removed.
 */
export const followerInboxes = (ctx: Pick<Context, 'call'>, author: string, speaker = author): Promise<string[]> =>
  allPages((page) => ctx.call(remoteInboxes, { author, unblockedBy: speaker, ...page }))

/** Inboxes of all remote accounts that block this account. */
export const blockerInboxesOf = (ctx: Pick<Context, 'call'>, account: string): Promise<string[]> =>
  allPages((page) => ctx.call(blockerInboxes, { account, ...page }))

/** Inbox for activities with many recipients; null for local and for suspended accounts. */
export const inboxOf = (account: AccountRecord): string | null =>
  account.domain === null || account.suspended ? null : (account.shared_inbox_url ?? account.inbox_url)

export const recordsOf = async (
  ctx: Pick<Context, 'call'>,
  ids: readonly string[],
): Promise<Map<string, AccountRecord>> => {
  if (ids.length === 0) return new Map()
  const { records } = await ctx.call(accountRecords, { ids: [...new Set(ids)] })
  return new Map(records.map((it) => [it.id, it]))
}

/** Accounts per request, and mentioned accounts per status that are considered. */
const MOST_ASKED = 1_000
const MOST_NAMED = 10

/**
 * Statuses among these that an account on another server may receive.
 *
 * Most authors on most servers have no remote recipient, which two requests show for all of them. A status whose accounts were
 * not requested is kept.
 */
export const mayLeave = async <T>(
  ctx: Pick<Context, 'call'>,
  statuses: readonly T[],
  factsFor: (status: T) => StatusFacts,
): Promise<T[]> => {
  if (statuses.length === 0) return []
  const all = statuses.map((status) => ({ status, author: factsFor(status).author, ...reachOf(factsFor(status)) }))
  const authors = new Set(all.map((one) => one.author))
  const named = all.flatMap((one) => [...one.people, ...one.followersOf].slice(0, MOST_NAMED))
  const known = await recordsOf(ctx, [...new Set(named)].filter((id) => !authors.has(id)).slice(0, MOST_ASKED))
  const isHere = (id: string) => authors.has(id) || known.get(id)?.domain === null
  const followed = [...new Set(all.flatMap((one) => one.followersOf))].filter(isHere).slice(0, MOST_ASKED)
  const { ids } = followed.length ? await ctx.call(followedElsewhere, { ids: followed }) : { ids: [] }
  const unfollowed = new Set(followed.filter((id) => !ids.includes(id)))
  return all
    .filter((one) => !(one.people.every(isHere) && one.followersOf.every((id) => unfollowed.has(id))))
    .map((one) => one.status)
}

/** All inboxes that receive a status; `people` are the accounts that are known already. */
export const statusInboxes = async (
  ctx: Pick<Context, 'call'>,
  status: StatusFacts,
  people: ReadonlyMap<string, AccountRecord>,
): Promise<string[]> => {
  const reach = reachOf(status)
  const unknown = [...reach.people, ...reach.followersOf].filter((id) => !people.has(id))
  const all = new Map([...people, ...(await recordsOf(ctx, unknown))])
  const ours = reach.followersOf.filter((id) => all.get(id)?.domain === null)
  const followers = await Promise.all(ours.map((id) => followerInboxes(ctx, id, status.author)))
  const direct = reach.people.flatMap((id) => {
    const account = all.get(id)
    const inbox = account && inboxOf(account)
    return inbox ? [inbox] : []
  })
  return [...direct, ...followers.flat()]
}
