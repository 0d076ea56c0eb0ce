/** Finds the inboxes that receive an activity. */
import {
  type AccountRecord,
  accountRecords,
  blockerInboxes,
  followedElsewhere,
  remoteInboxes,
} from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import { type ReachInput, reachOf } from './reach.rules.js'

const PAGE = 1_000
/**
 * Maximum number of pages of inboxes that are read. So many pages contain more inboxes than the fediverse has servers.
 */
const MAX_PAGES = 200

type Page = { inboxes: string[]; next: string | null }

const allPages = async (read: (page: { limit: number; after?: string }) => Promise<Page>): Promise<string[]> => {
  const found: string[] = []
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const { inboxes, next } = await read({ limit: PAGE, ...(after ? { after } : {}) })
    found.push(...inboxes)
    if (next === null) break
    after = next
  }
  return found
}

/**
 * Inboxes of all remote followers of `author`.
 *
 * Servers that `speaker` (the actor of the activity) blocks are left out, even if follows from there are not removed yet.
 */
export const followerInboxes = (ctx: Pick<Context, 'call'>, author: string, speaker = author): Promise<string[]> =>
  allPages((page) => ctx.call(remoteInboxes, { author, unblockedBy: speaker, ...page }))

/** Inboxes of all remote accounts that block this account. */
export const blockerInboxesOf = (ctx: Pick<Context, 'call'>, account: string): Promise<string[]> =>
  allPages((page) => ctx.call(blockerInboxes, { account, ...page }))

/** Shared inbox of an account, else its own inbox; null for local and for suspended accounts. */
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

/** Maximum number of accounts per call, and of accounts per status that are looked up. */
const MAX_ACCOUNTS = 1_000
const MAX_NAMED = 10

/**
 * The statuses that may have a remote recipient. A status also counts if not all its mentioned accounts were looked up.
 *
 * Two calls for the whole batch find the authors without remote recipients, which are most local authors.
 */
export const withRemoteRecipients = async <T>(
  ctx: Pick<Context, 'call'>,
  statuses: readonly T[],
  inputFor: (status: T) => ReachInput,
): Promise<T[]> => {
  if (statuses.length === 0) return []
  const all = statuses.map((status) => ({ status, author: inputFor(status).author, ...reachOf(inputFor(status)) }))
  const authors = new Set(all.map((one) => one.author))
  const named = all.flatMap((one) => [...one.accounts, ...one.followersOf].slice(0, MAX_NAMED))
  const known = await recordsOf(ctx, [...new Set(named)].filter((id) => !authors.has(id)).slice(0, MAX_ACCOUNTS))
  const isHere = (id: string) => authors.has(id) || known.get(id)?.domain === null
  const followed = [...new Set(all.flatMap((one) => one.followersOf))].filter(isHere).slice(0, MAX_ACCOUNTS)
  const { ids } = followed.length ? await ctx.call(followedElsewhere, { ids: followed }) : { ids: [] }
  const unfollowed = new Set(followed.filter((id) => !ids.includes(id)))
  return all
    .filter((one) => !(one.accounts.every(isHere) && one.followersOf.every((id) => unfollowed.has(id))))
    .map((one) => one.status)
}

/**
 * Inboxes that receive a status, possibly with duplicates. `accounts`: records of accounts that the caller has read
 * already, by id.
 */
export const statusInboxes = async (
  ctx: Pick<Context, 'call'>,
  status: ReachInput,
  accounts: ReadonlyMap<string, AccountRecord>,
): Promise<string[]> => {
  const reach = reachOf(status)
  const unknown = [...reach.accounts, ...reach.followersOf].filter((id) => !accounts.has(id))
  const all = new Map([...accounts, ...(await recordsOf(ctx, unknown))])
  const ours = reach.followersOf.filter((id) => all.get(id)?.domain === null)
  const followers = await Promise.all(ours.map((id) => followerInboxes(ctx, id, status.author)))
  const direct = reach.accounts.flatMap((id) => {
    const account = all.get(id)
    const inbox = account && inboxOf(account)
    return inbox ? [inbox] : []
  })
  return [...direct, ...followers.flat()]
}
