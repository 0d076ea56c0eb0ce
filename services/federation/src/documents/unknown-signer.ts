/** Readers of statuses that sign with an unknown key: they get a response at once, and a job verifies them afterwards. */
import { createHash } from 'node:crypto'
import { isRefused } from '@murmuration/activitypub/signatures/refusal'
import { claimsOf } from '@murmuration/activitypub/signatures/verify-request'
import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import { meetReaderJob } from '@murmuration/contracts/federation'
import type { Context } from '../context.js'
import { hostStanding } from '../core/hosts.js'
import type { Incoming } from '../core/incoming.js'
import { asSigned } from '../core/signer.js'

/** Characters of a signed text that are kept until the key is there; those of other servers have a few hundred. */
const LONGEST = 4_096

/**
 * Queues the job that reads the key and verifies the signature.
 *
 * The signed parts are extracted now, so the signature is checked at the time of the request. A signature that a known key
 * disproved is not verified again.
 */
export const verifyReader = async (
  ctx: Context,
  request: Incoming,
  statuses: readonly { id: string }[],
): Promise<void> => {
  const claim = claimsOf(asSigned(ctx, request)).find((it) => !isRefused(it))
  if (claim === undefined || isRefused(claim) || claim.bases.some((base) => base.length > LONGEST)) return
  const { keyId, keyType, bases } = claim
  const host = hostOf(keyId)
  if (host === null || hostStanding(ctx, host) !== 'open' || (await ctx.knownKeys.get(keyId)) !== null) return
  if (!(await ctx.reader.budgets.mayMeetReader(host, request.ip))) return
  const signature = Buffer.from(claim.signature).toString('base64')
  // A repeated request has the same job id. A server without the key cannot predict it and block the job.
  const id = createHash('sha256')
    .update(JSON.stringify([keyId, signature, bases]))
    .digest('base64url')
  const data = { keyId, keyType, bases: [...bases], signature, statuses: statuses.map((it) => it.id) }
  await ctx.queues.push(meetReaderJob, { id, data })
}
