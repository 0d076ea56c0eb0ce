/** Handlers that receive activities, and that show counts of refused activities to staff. */
import { hostOf, originOf, readDomain } from '@murmuration/activitypub/vocabulary/uri'
import { inboxRefusals, receiveActivity } from '@murmuration/contracts/federation'
import { Failure, olderNames, type Reply, reply } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { received } from '../core/metrics.js'
import { readIncoming } from '../core/signature/incoming.js'
import { handle } from '../handlers.js'
import { undoneBy } from './activities/undo-state.js'
import { checkRequest } from './admission.js'
import { identityParts } from './identity.rules.js'
import { type RefusalRow, refusalDays, refusalsOfHost, refusalsSince, refusingHosts } from './refusal.store.js'
import { recordSynchronisation } from './synchronisation.js'

const accepted = (): Reply<string> => reply('', { status: 202, headers: { 'Cache-Control': 'private, no-store' } })

/** Refusal reasons of activities whose content is ignored, because their object is fetched from its own server. */
const readElsewhere: ReadonlySet<string> = new Set(['relayed', 'origin-is-asked'])

const INBOXES: Readonly<Record<string, string>> = { not_found: 'no-such-inbox', gone: 'inbox-gone' }

/**
 * Reason of a failure (the reason of its cause, else its code), and the host that the request named; null if unknown.
 */
const namedRefusal = (error: unknown): { reason: string; host: string | null } => {
  if (!(error instanceof Failure)) return { reason: 'unknown', host: null }
  const { reason, host, keyId } = (error.cause ?? {}) as { reason?: unknown; host?: unknown; keyId?: unknown }
  return {
    reason: typeof reason === 'string' ? reason : (INBOXES[error.code] ?? error.code),
    host: typeof host === 'string' ? host : typeof keyId === 'string' ? hostOf(keyId) : null,
  }
}

const receiveOne = async (ctx: Context, input: unknown): Promise<Reply<string>> => {
  const request = readIncoming(input)
  const admitted = await checkRequest(ctx, request)
  if (!admitted.ok) {
    received.inc({ response: 'dropped', reason: admitted.reason })
    if (!readElsewhere.has(admitted.reason)) {
      const { reason, host } = admitted
      ctx.refusals.count(olderNames.inboxEndpoint, reason, host)
      ctx.refusals.log({ host, reason })
    }
    return accepted()
  }
  await ctx.peers.alive(hostOf(admitted.signer.owner) as string)
  await recordSynchronisation(ctx, request, admitted.signer)
  const { activity, body, ownerId, signer } = admitted
  const isNew = await ctx.intake.store({
    id: ctx.ids.next(),
    origin: originOf(activity.actor) as string,
    activityId: activity.id,
    objects: identityParts(activity),
    type: activity.type,
    actor: activity.actor,
    ownerId,
    body,
    signedAt: signer.owner === activity.actor ? new Date(signer.made) : null,
    undoes: undoneBy(activity),
  })
  received.inc({ response: isNew ? 'accepted' : 'known', reason: '' })
  return accepted()
}

/** `POST …/inbox`: authenticates an activity, stores it and responds 202. A job processes the activity later. */
export const receive = handle(receiveActivity, (ctx, _viewer, input) =>
  ctx.intake.responding(receiveOne(ctx, input)).catch((error) => {
    const { reason, host } = namedRefusal(error)
    received.inc({ response: 'refused', reason })
    ctx.refusals.count(olderNames.inboxEndpoint, reason, host)
    throw error
  }),
)

const DAY_MS = 86_400_000
const MAX_HOSTS = 100

const counted = <T extends Pick<RefusalRow, 'count' | 'last_at'>>({ count, last_at, ...row }: T) => ({
  ...row,
  count: Number(count),
  last_at: last_at.toISOString(),
})

/** One count per day of the period, oldest first; 0 for days without refusals. `since` in ms since the epoch. */
const everyDay = (since: number, days: number, found: readonly { day: string; count: string }[]) => {
  const counts = new Map(found.map((one) => [one.day, Number(one.count)]))
  return Array.from({ length: days }, (_, n) => {
    const day = new Date(since + n * DAY_MS).toISOString().slice(0, 10)
    return { day, count: counts.get(day) ?? 0 }
  })
}

/** Shows staff the numbers of refused activities by reason, host and day. */
export const refusals = handle(inboxRefusals, async (ctx, _viewer, { days: wanted, host: named }) => {
  const days = Math.max(1, wanted)
  const host = named ? (readDomain(named) ?? named) : null
  const start = ctx.clock.now() - (days - 1) * DAY_MS
  const since = new Date(start)
  const [reasons, hosts, found] = await Promise.all([
    host === null ? refusalsSince(ctx.db, since) : refusalsOfHost(ctx.db, host, since),
    refusingHosts(ctx.db, since, host, MAX_HOSTS),
    refusalDays(ctx.db, since, host),
  ])
  return { refusals: reasons.map(counted), hosts: hosts.map(counted), days: everyDay(start, days, found) }
})
