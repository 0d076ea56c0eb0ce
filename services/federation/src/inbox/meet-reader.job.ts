/** Reads the key of somebody who read statuses of ours, and notes their server as a reader when that key signed the request. */

import { disproved } from '@murmuration/activitypub/signatures/claim'
import { meetReaderJob } from '@murmuration/contracts/federation'
import { Failure } from '@murmuration/contracts/kit'
import { statusRecords } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { accountOf, type Found, findKey } from '../core/signer.js'
import { work } from '../doors.js'
import { noteKnown } from '../outbox/index.js'

/** Null when there is no such key, when its server is not spoken with, and at last when it cannot be had. */
const keyOf = (ctx: Context, keyId: string, isLast: boolean): Promise<Found | null> =>
  findKey(ctx, keyId, { fresh: false, reach: 'outside' }).catch((error) => {
    if (error instanceof Failure && (isLast || error.code === 'forbidden')) return null
    throw error
  })

export const meetReader = work(meetReaderJob, async (ctx, { statuses, signature, ...it }, { tries }) => {
  const found = await keyOf(ctx, it.keyId, tries >= meetReaderJob.retry.times)
  const key = found && ctx.self.keys.verification(found.pem)
  if (!key || disproved({ ...it, signature: Buffer.from(signature, 'base64') }, key) !== null) return
  await accountOf(ctx, it.keyId, found)
  const account = await ctx.acquaintances.account(found.owner)
  // Also what ended meanwhile: they have it, and are told.
  const { records } = await ctx.call(statusRecords, { ids: statuses })
  const read = records.filter((one) => one.local && one.reblog_of === null)
  if (account !== null) await noteKnown(ctx, account, read)
})
