/** Handles requests for statuses that are signed with an unknown key: the response is sent at once, and a job verifies the signer. */
import { createHash } from 'node:crypto'
import { isRefused } from '@murmuration/activitypub/signatures/refusal'
import { claimsOf } from '@murmuration/activitypub/signatures/verify-request'
import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import { verifyReaderJob } from '@murmuration/contracts/federation'
import type { Context } from '../context.js'
import { hostAccess } from '../core/host/hosts.js'
import type { Incoming } from '../core/signature/incoming.js'
import { asSigned } from '../core/signature/signer.js'

/** Maximum number of characters of the signed text in a job. Real signed texts have a few hundred. */
const MAX_CHARACTERS = 4_096

/**
 * Queues the job that fetches the key and verifies the signature.
 *
 * The signed text is computed now, so that the age of the signature is checked at the time of the request. If the key
 * is stored, `requesterOf` (`core/signature/requester.ts`) has already found the signature wrong, and no job is queued.
 */
export const verifyReader = async (
  ctx: Context,
  request: Incoming,
  statuses: readonly { id: string }[],
): Promise<void> => {
  const claim = claimsOf(asSigned(ctx, request)).find((it) => !isRefused(it))
  if (claim === undefined || isRefused(claim) || claim.bases.some((base) => base.length > MAX_CHARACTERS)) return
  const { keyId, keyType, bases } = claim
  const host = hostOf(keyId)
  if (host === null || hostAccess(ctx, host) !== 'open' || (await ctx.knownKeys.get(keyId)) !== null) return
  if (!(await ctx.fetcher.limits.mayVerifyReader(host, request.ip))) return
  const signature = Buffer.from(claim.signature).toString('base64')
  // A repeated request has the same job id. The id contains the signature, so others cannot predict it to block the job.
  const id = createHash('sha256')
    .update(JSON.stringify([keyId, signature, bases]))
    .digest('base64url')
  const data = { keyId, keyType, bases: [...bases], signature, statuses: statuses.map((it) => it.id) }
  await ctx.queues.push(verifyReaderJob, { id, data })
}
