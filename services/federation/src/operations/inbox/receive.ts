/** `POST …/inbox`: proves who sent an activity, keeps it, and answers 202; the work comes afterwards. */

import { hostOf, originOf } from '@murmuration/activitypub/vocabulary/uri'
import { receiveActivity } from '@murmuration/contracts/federation'
import { Failure, type Reply, reply } from '@murmuration/contracts/kit'
import { undoneBy } from '../../activities/undone.js'
import type { Context } from '../../context.js'
import { handle } from '../../doors.js'
import { received } from '../../figures.js'
import { admit } from '../../requests/admission.js'
import { readIncoming } from '../../requests/incoming.js'
import { noteSynchronisation } from '../../requests/synchronisation.js'

const accepted = (): Reply<string> => reply('', { status: 202, headers: { 'Cache-Control': 'private, no-store' } })

/** Not kept as it came, but read from where it lives. */
const readElsewhere: ReadonlySet<string> = new Set(['relayed', 'origin-is-asked'])

const INBOXES: Readonly<Record<string, string>> = { not_found: 'no-such-inbox', gone: 'inbox-gone' }

/** A refusal by name: what a signature or document lacks, else the kind of the answer; and the host it claimed to come from. */
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
  const admitted = await admit(ctx, request)
  if (!admitted.ok) {
    received.inc({ answer: 'dropped', reason: admitted.reason })
    if (!readElsewhere.has(admitted.reason)) {
      const { reason, host } = admitted
      ctx.refusals.note('gate', reason, host)
      ctx.refusals.tell({ host, reason })
    }
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
    undoes: undoneBy(activity),
  })
  received.inc({ answer: isNew ? 'accepted' : 'known', reason: '' })
  return accepted()
}

export const receive = handle(receiveActivity, (ctx, _viewer, input) =>
  ctx.intake.answering(receiveOne(ctx, input)).catch((error) => {
    const { reason, host } = namedRefusal(error)
    received.inc({ answer: 'refused', reason })
    ctx.refusals.note('gate', reason, host)
    throw error
  }),
)
