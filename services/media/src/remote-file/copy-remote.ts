/** Copying a file of another server: one at a time, and kept; the worker asks for it, and whoever looks first. */
import { Failure, isRetryable, isTrouble } from '@murmuration/contracts/kit'
import { ownRequest, within } from '@murmuration/kernel'
import type { Context } from '../context.js'
import type { Attachment } from '../core/attachment.store.js'
import { copies } from '../core/figures.js'
import {
  afterOwnTrouble,
  asksForPause,
  LeftAlone,
  longestCopyMs,
  nextTry,
  waitingSince,
} from '../core/patience.rules.js'
import { claimPicture, type Picture } from '../core/picture.store.js'
import { awaitCopy, type Due, renewClaim } from '../core/remote-copy.store.js'
import { troubleOf } from './download.client.js'
import { fetchOnce } from './fetch-once.js'
import { claimAttachment } from './remote-attachment.store.js'
import { isAllowed, type RemoteFile, remoteAttachment, remotePicture } from './remote-file.js'

/** `busy`: somebody else is fetching it, or has. `refused`: it may not be fetched. `failed`: it could not be fetched. */
export type Outcome = 'copied' | 'busy' | 'refused' | 'failed'

/** Origin of a try: the worker's `first`, which it soon repeats, its `last`, which schedules the next, or a viewer's `look`. */
export type Try = 'first' | 'last' | 'look'

/** Lifetime of a claim that its process does not renew. */
const CLAIM_MS = 90_000
const RENEW_MS = 30_000
/** The worker comes again so soon when the policy is not known. */
const UNKNOWN_MS = 30_000
const POLICY_MS = 1_000
const LOOK_MS = 50

/** Just after the start the policy is on its way; where it does not come, nothing is fetched. */
const policyKnown = async (ctx: Context, until: number): Promise<boolean> => {
  if (ctx.policy.loaded() || performance.now() > until) return ctx.policy.loaded()
  await ctx.clock.sleep(LOOK_MS)
  return policyKnown(ctx, until)
}

/** Whether staff lets a copy of this file be here, once the policy is loaded. False while it is not. */
export const mayBeHere = async (ctx: Context, row: Attachment | Picture): Promise<boolean> =>
  (await policyKnown(ctx, performance.now() + POLICY_MS)) && isAllowed(ctx, row)

const tellGivenUp = (ctx: Context, { what, row }: RemoteFile, failures: number): void =>
  ctx.log.info({ what, id: row.id, failures }, 'a file of another server is given up until somebody looks')

/** Records a failed request. A worker's try schedules the next one or gives up; a look changes no schedule. */
const fall = async (ctx: Context, file: RemoteFile, by: Try): Promise<Outcome> => {
  const now = ctx.clock.now()
  const failedAt = new Date(now)
  if (by === 'look') {
    await file.letGo({ failedAt, forGood: false })
    return 'failed'
  }
  const failures = file.row.failures + 1
  const at = nextTry(failures, now, Math.random())
  await file.letGo({ failedAt, forGood: false, next: { failures, retryAt: at === null ? null : new Date(at) } })
  copies.inc({ what: file.what, outcome: at === null ? 'gave-up' : 'later' })
  if (at === null) tellGivenUp(ctx, file, failures)
  return 'failed'
}

/** It was not the file's turn, or the trouble was ours: no try is used up, but nothing waits for ever. */
const putAside = async (ctx: Context, file: RemoteFile, by: Try, until: number): Promise<Outcome> => {
  if (by === 'look') {
    await file.letGo({ failedAt: null, forGood: false })
    return 'failed'
  }
  const { failures, created_at } = file.row
  const isOver = created_at.getTime() < waitingSince(ctx.clock.now())
  await file.letGo({ failedAt: null, forGood: false, next: { failures, retryAt: isOver ? null : new Date(until) } })
  copies.inc({ what: file.what, outcome: isOver ? 'gave-up' : 'later' })
  if (isOver) tellGivenUp(ctx, file, failures)
  return 'failed'
}

const stop = async ({ what, letGo }: RemoteFile, failedAt: Date | null, forGood: boolean): Promise<void> => {
  await letGo({ failedAt, forGood, next: { failures: 0, retryAt: null } })
  copies.inc({ what, outcome: forGood ? 'gave-up' : 'refused' })
}

const afterError = async (ctx: Context, file: RemoteFile, by: Try, error: unknown): Promise<Outcome> => {
  const { row } = file
  if (!isAllowed(ctx, row)) {
    await stop(file, null, false)
    return 'refused'
  }
  if (error instanceof LeftAlone) return putAside(ctx, file, by, error.until)
  if (!isRetryable(error)) {
    await stop(file, ctx.clock.date(), true)
    return 'failed'
  }
  // A look counts a local failure like any other, so that later looks do not fetch the file repeatedly.
  if (error instanceof Failure && isTrouble(error) && by !== 'look') {
    ctx.log.warn({ what: file.what, id: row.id, error }, 'a file of another server could not be taken in')
    const now = ctx.clock.now()
    return putAside(ctx, file, by, afterOwnTrouble(now - row.created_at.getTime(), now, Math.random()))
  }
  const trouble = troubleOf(error)
  // A host that is left alone from now on is not asked again in a moment.
  if (by !== 'first' || row.failures > 0 || (trouble !== null && asksForPause(trouble))) return fall(ctx, file, by)
  await file.letGo({ failedAt: null, forGood: false })
  throw error
}

const copyOnce = async (ctx: Context, file: RemoteFile, by: Try): Promise<Outcome> => {
  if (!isAllowed(ctx, file.row)) {
    await stop(file, null, false)
    return 'refused'
  }
  const give = by === 'look' ? () => undefined : ctx.hosts.take(file.host)
  // The tick has it come again when it is its host's turn.
  if (give === null) return putAside(ctx, file, by, ctx.clock.now())
  try {
    await fetchOnce(ctx, file, by !== 'look')
    copies.inc({ what: file.what, outcome: 'copied' })
    return 'copied'
  } catch (error) {
    return await afterError(ctx, file, by, error)
  } finally {
    give()
  }
}

/** Says of the claim that whoever holds it lives, until that is over. */
const holding = async <T>(ctx: Context, due: Due, work: () => Promise<T>): Promise<T> => {
  const renew = () => renewClaim(ctx.db, due, new Date(ctx.clock.now() + CLAIM_MS)).catch(() => 0)
  const renewing = setInterval(renew, RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
  }
}

/** Makes the copy where it is missing. Rejects when the first try failed and another one may help. */
export const copyRemote = async (ctx: Context, due: Due, by: Try): Promise<Outcome> => {
  const known = await policyKnown(ctx, performance.now() + POLICY_MS)
  const now = ctx.clock.now()
  // Schedules another try in case this process dies, or while the policy is unknown.
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
  // A copy that has begun is finished and kept, even if no request waits for it.
  // The time is doubled because another process may try the same file first and fail.
  const mostMs = 2 * longestCopyMs(ctx.config.transcodeSeconds * 1_000)
  if (file !== null) return within(ownRequest(mostMs), () => holding(ctx, due, () => copyOnce(ctx, file, by)))
  await comeAgain(CLAIM_MS)
  return 'busy'
}
