/** Compares the local followers of a remote account with the list of its server, and corrects differences (FEP-8fcf). */

import { emptyDigest, followersDigest } from '@murmuration/activitypub/signatures/collection-synchronization'
import { followerDigests, synchroniseFollowers } from '@murmuration/contracts/accounts'
import { fetchFollowers, synchroniseFollowersJob } from '@murmuration/contracts/federation'
import { notYet, type ResultOf } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { synchronised } from '../core/figures.js'
import { work } from '../handlers.js'
import { ourFollow, recordsOf, sendUndo } from '../outbox/index.js'

/** Most local accounts per comparison whose follow is undone on the other server, because it never existed. */
const MOST_DISOWNED = 50
/** Most pages of a list, each with thousands of accounts. */
const MOST_PAGES = 20
/** Actor ids of one part, and characters of one of ours: what fits into a request. */
const PART = 2_500
const LONGEST_ID = 300

/** Sends an Undo for local accounts that the other server lists and that do not follow, once per digest. */
const disown = async (ctx: Context, account: string, listed: readonly string[], digest: string): Promise<void> => {
  const accounts = await recordsOf(ctx, [account, ...listed])
  const their = accounts.get(account)
  if (!their) return
  const follow = (id: string) => {
    const our = accounts.get(id)
    const name = `${account}-${digest.slice(0, 16)}`
    return our && { our, activity: ourFollow({ id: name, uri: null, eventId: name }, our, their) }
  }
  const made = listed.map(follow).filter((it) => it !== undefined)
  await Promise.all(
    made.map(({ our, activity }) => sendUndo(ctx, { actorId: our.id, seq: ctx.ids.next(), activity, their })),
  )
}

/** The whole list, read page by page; null if it is invalid, names other servers, or has no end. */
const listOf = async (ctx: Context, url: string): Promise<string[] | null> => {
  const isOurs = (uri: string): boolean => uri.startsWith(`${ctx.site.origin}/`) && uri.length <= LONGEST_ID
  const uris = new Set<string>()
  let next: string | null = url
  for (let page = 0; next !== null; page++) {
    if (page === MOST_PAGES) return null
    const read: ResultOf<typeof fetchFollowers.output> = await ctx.call(
      fetchFollowers,
      { url: next },
      { timeoutMs: 30_000 },
    )
    if (read.outcome === 'later') throw notYet('the followers cannot be read yet', { retryAfter: 30 })
    // Each page is checked, so that an invalid list is neither read on nor kept in memory.
    if (read.outcome !== 'ok' || !read.uris.every(isOurs)) return null
    const before = uris.size
    for (const uri of read.uris) uris.add(uri)
    if (read.next !== null && uris.size === before) return null
    next = read.next
  }
  return [...uris]
}

/**
 * Applies the list in parts, in the order of ids, so that each part covers a range. Null if a follow changed while it was read;
 * `before` is the local digest until then.
 */
const takeOver = async (ctx: Context, account: string, uris: readonly string[], before: string) => {
  const sorted = [...uris].sort((a, b) => (a < b ? -1 : 1))
  const all = { ended: 0, accepted: 0, strangers: [] as string[] }
  let after: string | null = null
  for (let at = 0; at === 0 || at < sorted.length; at += PART) {
    const listed = sorted.slice(at, at + PART)
    const upTo: string | null = at + PART < sorted.length ? (listed.at(-1) ?? null) : null
    const { ended, accepted, strangers, overtaken } = await ctx.call(synchroniseFollowers, {
      account,
      listed,
      part: { after, upTo },
      // The first part changes it.
      ...(at === 0 && { before }),
    })
    if (overtaken) return null
    all.ended += ended
    all.accepted += accepted
    all.strangers.push(...strangers)
    after = upTo
  }
  return all
}

export const synchronise = work(synchroniseFollowersJob, async (ctx, { account, url, digest }) => {
  const { origin } = ctx.site
  const { comparable, digests } = await ctx.call(followerDigests, { account, origins: [origin] })
  const before = digests[origin] ?? emptyDigest
  if (!comparable || before === digest) return
  const uris = await listOf(ctx, url)
  // A list that does not match its digest changes nothing.
  if (uris === null || followersDigest(uris) !== digest) {
    synchronised.inc({ outcome: 'unproved' })
    return
  }
  const taken = await takeOver(ctx, account, uris, before)
  // The next status for followers has a digest again.
  if (taken === null) return
  const { ended, accepted, strangers } = taken
  synchronised.inc({ outcome: 'mended' })
  ctx.log.info({ account, ended, accepted, strangers: strangers.length }, 'followers were synchronised')
  if (strangers.length) await disown(ctx, account, strangers.slice(0, MOST_DISOWNED), digest)
})
