/** Compares who follows somebody elsewhere with what their server says, and mends what differs (FEP-8fcf). */
import { followerDigests, synchroniseFollowers } from '@murmuration/contracts/accounts'
import { fetchFollowers, synchroniseFollowersJob } from '@murmuration/contracts/federation'
import { fail } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { recordsOf } from '../delivery/audience.js'
import { takeBack } from '../delivery/deed.js'
import { ourFollow } from '../delivery/follow.js'
import { work } from '../doors.js'
import { synchronised } from '../figures.js'
import { emptyDigest, followersDigest } from '../signatures/collection-synchronization.js'

/** People of ours who never followed and are told so to the other side in one go. */
const MOST_STRANGERS = 50

/** They count people of ours who do not follow: a follow that never was is taken back, once for each thing that was said. */
const disown = async (ctx: Context, account: string, strangers: readonly string[], digest: string): Promise<void> => {
  const people = await recordsOf(ctx, [account, ...strangers])
  const their = people.get(account)
  if (!their) return
  const follow = (id: string) => {
    const our = people.get(id)
    const name = `${account}-${digest.slice(0, 16)}`
    return our && { our, activity: ourFollow({ id: name, uri: null, eventId: name }, our, their) }
  }
  const made = strangers.map(follow).filter((it) => it !== undefined)
  await Promise.all(
    made.map(({ our, activity }) => takeBack(ctx, { actorId: our.id, seq: ctx.ids.next(), activity, their })),
  )
}

export const synchronise = work(synchroniseFollowersJob, async (ctx, { account, url, digest }) => {
  const { origin } = ctx.site
  const { comparable, digests } = await ctx.call(followerDigests, { account, origins: [origin] })
  if (!comparable || (digests[origin] ?? emptyDigest) === digest) return
  const { outcome, uris } = await ctx.call(fetchFollowers, { url }, { timeoutMs: 30_000 })
  if (outcome === 'later') throw fail('unavailable', 'the followers cannot be read yet', { retryAfter: 30 })
  // Nothing is changed by a list that is not the one that was spoken of, nor by one that speaks for others.
  const isSound =
    outcome === 'ok' && followersDigest(uris) === digest && uris.every((it) => it.startsWith(`${origin}/`))
  if (!isSound) {
    synchronised.inc({ outcome: 'unproved' })
    return
  }
  const { ended, accepted, strangers } = await ctx.call(synchroniseFollowers, { account, listed: uris })
  synchronised.inc({ outcome: 'mended' })
  ctx.log.info({ account, ended, accepted, strangers: strangers.length }, 'followers were synchronised')
  if (strangers.length) await disown(ctx, account, strangers.slice(0, MOST_STRANGERS), digest)
})
