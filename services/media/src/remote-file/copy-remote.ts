/** Copies a remote file. Only one process copies it at a time. Jobs and requests of clients cause a copy. */
import { Failure, isRetryable, isTrouble } from '@murmuration/contracts/kit'
import { ownRequest, within } from '@murmuration/kernel'
import type { Context } from '../context.js'
import type { Attachment } from '../core/attachment/store.js'
import { copies } from '../core/metrics.js'
import { claimPicture, type Picture } from '../core/picture/store.js'
import { isKilled } from '../core/process/child.js'
import { awaitCopy, type Due, renewClaim } from '../core/remote-file/copy.store.js'
import {
  Deferred,
  longestCopyMs,
  needsPause,
  nextTry,
  retryAfterLocalFailure,
  waitingSince,
} from '../core/remote-file/retry.rules.js'
import { hostFailureOf } from './download.client.js'
import { fetchOnce } from './fetch-once.js'
import { claimAttachment } from './remote-attachment.store.js'
import { isAllowed, type RemoteFile, remoteAttachment, remotePicture } from './remote-file.js'

/**
 * `busy`: another process fetches the file, or a copy exists. `refused`: the file may not be copied. `failed`: the
 * fetch failed.
 */
export type Outcome = 'copied' | 'busy' | 'refused' | 'failed'

/**
 * Cause of a try. `first`: an early try of a job, which the queue repeats soon after a failure. `last`: the last try of
 * a job, after whose failure a later job is scheduled. `look`: a request of a client.
 */
export type CopyAttempt = 'first' | 'last' | 'look'

/** Milliseconds until a claim expires, unless its process renews it. */
const CLAIM_MS = 90_000
const RENEW_MS = 30_000
/** Milliseconds until a further try if the instance policy is not loaded. */
const UNKNOWN_MS = 30_000
const POLICY_MS = 1_000
const LOOK_MS = 50

/**
 * Waits until the instance policy is loaded, which takes a moment after the start. Returns false if the policy is not
 * loaded by `until`.
 */
const policyKnown = async (ctx: Context, until: number): Promise<boolean> => {
  if (ctx.policy.loaded() || performance.now() > until) return ctx.policy.loaded()
  await ctx.clock.sleep(LOOK_MS)
  return policyKnown(ctx, until)
}

/** Whether the policy permits a copy of this file. False if the policy is not loaded. */
export const isCopyPermitted = async (ctx: Context, row: Attachment | Picture): Promise<boolean> =>
  (await policyKnown(ctx, performance.now() + POLICY_MS)) && isAllowed(ctx, row)

const logGivenUp = (ctx: Context, { what, row }: RemoteFile, failures: number): void =>
  ctx.log.info({ what, id: row.id, failures }, 'a file of another server is given up until a client requests it')

/**
 * Stores a failed try. After a try of a job, the next one is scheduled, or the file is given up. After a request of a
 * client, no try is scheduled.
 */
const storeFailure = async (ctx: Context, file: RemoteFile, by: CopyAttempt): Promise<Outcome> => {
  const now = ctx.clock.now()
  const failedAt = new Date(now)
  if (by === 'look') {
    await file.letGo({ failedAt, forGood: false })
    return 'failed'
  }
  const failures = file.row.failures + 1
  const at = nextTry(failures, now, Math.random())
  const next = { failures, retryAt: at === null ? null : new Date(at) }
  await file.letGo({ failedAt, forGood: false, next, ...(at === null && { givenUpAt: failedAt }) })
  copies.inc({ what: file.what, outcome: at === null ? 'gave-up' : 'later' })
  if (at === null) logGivenUp(ctx, file, failures)
  return 'failed'
}

/**
 * Postpones a file without counting a failure, because its host has no free slot, or this server is at fault. The file is
 * given up 7 days after it became known, or after its further try began.
 */
const postpone = async (ctx: Context, file: RemoteFile, by: CopyAttempt, until: number): Promise<Outcome> => {
  if (by === 'look') {
    await file.letGo({ failedAt: null, forGood: false })
    return 'failed'
  }
  const { failures, created_at, given_up_at } = file.row
  const now = ctx.clock.now()
  const begun = Math.max(created_at.getTime(), given_up_at?.getTime() ?? 0)
  const isOver = begun < waitingSince(now)
  const next = { failures, retryAt: isOver ? null : new Date(until) }
  await file.letGo({ failedAt: null, forGood: false, next, ...(isOver && { givenUpAt: new Date(now) }) })
  copies.inc({ what: file.what, outcome: isOver ? 'gave-up' : 'later' })
  if (isOver) logGivenUp(ctx, file, failures)
  return 'failed'
}

/** Ends the tries of a file. `givenUpAt`: time at which it was given up; null if the instance policy refuses it. */
const stop = async ({ what, letGo }: RemoteFile, givenUpAt: Date | null): Promise<void> => {
  const forGood = givenUpAt !== null
  await letGo({ failedAt: givenUpAt, forGood, next: { failures: 0, retryAt: null }, ...(forGood && { givenUpAt }) })
  copies.inc({ what, outcome: forGood ? 'gave-up' : 'refused' })
}

/** `isFetched`: true if the file was downloaded before the error. */
const afterError = async (
  ctx: Context,
  file: RemoteFile,
  by: CopyAttempt,
  { error, isFetched }: { error: unknown; isFetched: boolean },
): Promise<Outcome> => {
  const { row } = file
  if (!isAllowed(ctx, row)) {
    await stop(file, null)
    return 'refused'
  }
  if (error instanceof Deferred) return postpone(ctx, file, by, error.until)
  if (!isRetryable(error)) {
    await stop(file, ctx.clock.date())
    return 'failed'
  }
  // If a client requested the file, a failure of this server counts like a failure of the host. Further requests then
  // do not fetch the file again and again. A killed program also counts, because the file may be the cause.
  if (error instanceof Failure && isTrouble(error) && by !== 'look' && !isKilled(error)) {
    ctx.log.warn({ what: file.what, id: row.id, error }, 'a file of another server could not be stored')
    // Otherwise, the further try of a picture would download it again and again.
    if (isFetched && row.given_up_at) return storeFailure(ctx, file, by)
    const now = ctx.clock.now()
    return postpone(ctx, file, by, retryAfterLocalFailure(now - row.created_at.getTime(), now, Math.random()))
  }
  const trouble = hostFailureOf(error)
  // The queue repeats the first try of a file soon, but only if the host of the file is not paused.
  if (by !== 'first' || row.failures > 0 || (trouble !== null && needsPause(trouble)))
    return storeFailure(ctx, file, by)
  await file.letGo({ failedAt: null, forGood: false })
  throw error
}

const copyOnce = async (ctx: Context, file: RemoteFile, by: CopyAttempt): Promise<Outcome> => {
  if (!isAllowed(ctx, file.row)) {
    await stop(file, null)
    return 'refused'
  }
  const give = by === 'look' ? () => undefined : ctx.hosts.take(file.host)
  // The host has no free slot. The tick queues the file again.
  if (give === null) return postpone(ctx, file, by, ctx.clock.now())
  let isFetched = false
  const onFetched = () => {
    isFetched = true
  }
  try {
    await fetchOnce(ctx, file, by !== 'look', onFetched)
    copies.inc({ what: file.what, outcome: 'copied' })
    return 'copied'
  } catch (error) {
    return await afterError(ctx, file, by, { error, isFetched })
  } finally {
    give()
  }
}

/** Renews the claim of a file while `work` runs. */
const holding = async <T>(ctx: Context, due: Due, work: () => Promise<T>): Promise<T> => {
  const renew = () => renewClaim(ctx.db, due, new Date(ctx.clock.now() + CLAIM_MS)).catch(() => 0)
  const renewing = setInterval(renew, RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
  }
}

/** Copies a file unless a copy exists. Rejects if the first try failed and another one may succeed. */
export const copyRemote = async (ctx: Context, due: Due, by: CopyAttempt): Promise<Outcome> => {
  const known = await policyKnown(ctx, performance.now() + POLICY_MS)
  const now = ctx.clock.now()
  // Schedules the next try, for the case that this process ends or that the instance policy is not loaded. A copy for a
  // client's request schedules no further try.
  const comeAgain = (ms: number) => (by === 'look' ? undefined : awaitCopy(ctx.db, due, new Date(now + ms)))
  if (!known) {
    await comeAgain(UNKNOWN_MS)
    return 'refused'
  }
  const claim = { now: new Date(now), until: new Date(now + CLAIM_MS), missing: by !== 'look' }
  const file =
    due.what === 'attachment'
      ? await claimAttachment(ctx.db, due.id, claim).then((row) => row && remoteAttachment(ctx, row))
      : await claimPicture(ctx.db, due.id, claim).then((row) => row && remotePicture(ctx, row))
  // A copy that has begun is finished and stored, even if its client no longer waits. The time limit is doubled,
  // because another process may try the same file first and fail.
  const maxMs = 2 * longestCopyMs(ctx.config.transcodeSeconds * 1_000)
  if (file !== null) return within(ownRequest(maxMs), () => holding(ctx, due, () => copyOnce(ctx, file, by)))
  await comeAgain(CLAIM_MS)
  return 'busy'
}
