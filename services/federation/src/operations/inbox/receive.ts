/** `POST …/inbox`: proves who sent an activity, keeps it, and answers 202; the work comes afterwards. */
import { receiveActivity } from '@murmuration/contracts/federation'
import { Failure, type Reply, reply } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import { handle } from '../../doors.js'
import { received } from '../../figures.js'
import { admit } from '../../requests/admission.js'
import { readIncoming } from '../../requests/incoming.js'
import { noteSynchronisation } from '../../requests/synchronisation.js'
import { hostOf, originOf } from '../../vocabulary/uri.js'

const accepted = (): Reply<string> => reply('', { status: 202, headers: { 'Cache-Control': 'private, no-store' } })

/** Not kept as it came, but read from where it lives. */
const readElsewhere: ReadonlySet<string> = new Set(['relayed', 'origin-is-asked'])

/** The name of a refusal: what a signature or document lacks, else the kind of the answer. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Failure)) return 'unknown'
  const named = (error.cause as { reason?: unknown } | undefined)?.reason
  return typeof named === 'string' ? named : error.code
}

const receiveOne = async (ctx: Context, input: unknown): Promise<Reply<string>> => {
  const request = readIncoming(input)
  const admitted = await admit(ctx, request)
  if (!admitted.ok) {
    received.inc({ answer: 'dropped', reason: admitted.reason })
    if (!readElsewhere.has(admitted.reason)) ctx.refusals.note('gate', admitted.reason, admitted.host)
    return accepted()
  }
  await ctx.peers.alive(hostOf(admitted.signer.owner) as string)
  await noteSynchronisation(ctx, request, admitted.signer)
  const { activity, body, ownerId, signer } = admitted
  const isNew = await ctx.intake.keep({
    id: ctx.ids.next(),
    origin: originOf(activity.actor) as string,
    activityId: activity.id,
    type: activity.type,
    actor: activity.actor,
    ownerId,
    body,
    signedAt: signer.owner === activity.actor ? new Date(signer.made) : null,
  })
  received.inc({ answer: isNew ? 'accepted' : 'known', reason: '' })
  return accepted()
}

export const receive = handle(receiveActivity, (ctx, _viewer, input) =>
  ctx.intake.answering(receiveOne(ctx, input)).catch((error) => {
    const reason = reasonOf(error)
    received.inc({ answer: 'refused', reason })
    ctx.refusals.note('gate', reason, null)
    throw error
  }),
)
