/** Compares the local followers of a remote account with the list of its server, and corrects differences (FEP-8fcf). */

import { emptyDigest, followersDigest } from '@murmuration/activitypub/signatures/collection-synchronization'
import { followerDigests, synchroniseFollowers } from '@murmuration/contracts/accounts'
import { fetchFollowers, synchroniseFollowersJob } from '@murmuration/contracts/federation'
import { notYet, olderNames, type ResultOf } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { synchronised } from '../core/metrics.js'
import { work } from '../handlers.js'
import { recordsOf, sendUndo, writeOwnFollow } from '../outbox/index.js'

/** Maximum number of Undos per comparison, for local accounts that the other server lists although they do not follow. */
const MAX_DISOWNED = 50
/** Maximum number of pages of a list. Servers return thousands of accounts per page. */
const MAX_PAGES = 20
/** Maximum number of actor ids per call of `synchroniseFollowers`, so that the call fits the size limit. */
const PART = 2_500
/** Maximum number of characters of an actor id in the list of followers; a longer id makes the list invalid. */
const MAX_ID = 300

/**
 * Publishes Undos of Follows for local accounts that the other server lists although they do not follow. The ids of these
 * Undos depend on the digest, so that a repeated job sends them once.
 */
const disown = async (ctx: Context, account: string, listed: readonly string[], digest: string): Promise<void> => {
  const accounts = await recordsOf(ctx, [account, ...listed])
  const their = accounts.get(account)
  if (!their) return
  const follow = (id: string) => {
    const our = accounts.get(id)
    const name = `${account}-${digest.slice(0, 16)}`
    return our && { our, activity: writeOwnFollow({ id: name, uri: null, eventId: name }, our, their) }
  }
  const made = listed.map(follow).filter((it) => it !== undefined)
  await Promise.all(
    made.map(({ our, activity }) => sendUndo(ctx, { actorId: our.id, seq: ctx.ids.next(), activity, their })),
  )
}

/**
 * Actor ids of another server's list of local followers, from all its pages. Returns null if the list is invalid,
 * contains remote actors, or has too many pages.
 */
const listOf = async (ctx: Context, url: string): Promise<string[] | null> => {
  const isOurs = (uri: string): boolean => uri.startsWith(`${ctx.site.origin}/`) && uri.length <= MAX_ID
  const uris = new Set<string>()
  let next: string | null = url
  for (let page = 0; next !== null; page++) {
    if (page === MAX_PAGES) return null
    const read: ResultOf<typeof fetchFollowers.output> = await ctx.call(
      fetchFollowers,
      { url: next },
      { timeoutMs: 30_000 },
    )
    if (read.outcome === 'later') throw notYet('the followers cannot be read yet', { retryAfter: 30 })
    // Each page is checked, so that no further page of an invalid list is fetched.
    if (read.outcome !== 'ok' || !read.uris.every(isOurs)) return null
    const before = uris.size
    for (const uri of read.uris) uris.add(uri)
    if (read.next !== null && uris.size === before) return null
    next = read.next
  }
  return [...uris]
}

/**
 * Applies the other server's list of followers in parts of `PART` ids. The list is sorted, so that each part covers a
 * range of ids.
 *
 * Returns null if a follow changed since the digest `before` was computed.
 */
const takeOver = async (ctx: Context, account: string, uris: readonly string[], before: string) => {
  const sorted = [...uris].sort((a, b) => (a < b ? -1 : 1))
  const all = { ended: 0, accepted: 0, unknown: [] as string[] }
  let after: string | null = null
  for (let at = 0; at === 0 || at < sorted.length; at += PART) {
    const listed = sorted.slice(at, at + PART)
    const upTo: string | null = at + PART < sorted.length ? (listed.at(-1) ?? null) : null
    const {
      ended,
      accepted,
      [olderNames.unknownAccounts]: unknown,
      overtaken,
    } = await ctx.call(synchroniseFollowers, {
      account,
      listed,
      part: { after, upTo },
      // The digest `before` is sent only with the first part of the list, because that part may change the local
      // followers and so their digest.
      ...(at === 0 && { before }),
    })
    if (overtaken) return null
    all.ended += ended
    all.accepted += accepted
    all.unknown.push(...unknown)
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
  // A list of followers that does not match the digest in the header changes nothing.
  if (uris === null || followersDigest(uris) !== digest) {
    synchronised.inc({ outcome: 'unproved' })
    return
  }
  const taken = await takeOver(ctx, account, uris, before)
  // A follow changed during the synchronisation. The next followers-only status of the other server has a new digest.
  if (taken === null) return
  const { ended, accepted, unknown } = taken
  synchronised.inc({ outcome: 'repaired' })
  ctx.log.info({ account, ended, accepted, unknown: unknown.length }, 'followers were synchronised')
  if (unknown.length) await disown(ctx, account, unknown.slice(0, MAX_DISOWNED), digest)
})
