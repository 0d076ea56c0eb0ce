/** Fetches the key of an unknown signer that requested local statuses. Stores its server as reader if the signature is valid. */

import { disproved } from '@murmuration/activitypub/signatures/claim'
import { verifyReaderJob } from '@murmuration/contracts/federation'
import { Failure } from '@murmuration/contracts/kit'
import { statusRecords } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { accountOf, type Found, findKey } from '../core/signature/signer.js'
import { work } from '../handlers.js'
import { recordReaders } from '../outbox/index.js'

/**
 * The key with this id; null if the key does not exist, if its host is blocked, or if the last attempt to fetch it
 * failed.
 */
const keyOf = (ctx: Context, keyId: string, isLast: boolean): Promise<Found | null> =>
  findKey(ctx, keyId, { fresh: false, reach: 'outside' }).catch((error) => {
    if (error instanceof Failure && (isLast || error.code === 'forbidden')) return null
    throw error
  })

export const verifyReader = work(verifyReaderJob, async (ctx, { statuses, signature, ...it }, { tries }) => {
  const found = await keyOf(ctx, it.keyId, tries >= verifyReaderJob.retry.times)
  const key = found && ctx.self.keys.verification(found.pem)
  if (!key || disproved({ ...it, signature: Buffer.from(signature, 'base64') }, key) !== null) return
  await accountOf(ctx, it.keyId, found)
  const account = await ctx.accountCache.account(found.owner)
  // Deleted statuses are included, because the reader has a copy and so must receive the Delete.
  const { records } = await ctx.call(statusRecords, { ids: statuses })
  const read = records.filter((one) => one.local && one.reblog_of === null)
  if (account !== null) await recordReaders(ctx, account, read)
})
