/** The job that deletes some of the old statuses of an account with a cleanup policy. The next tick continues. */
import { showAuthor } from '@murmuration/contracts/accounts'
import { Failure } from '@murmuration/contracts/kit'
import { cleanUp as cleanUpJob, statusInvalidation } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { releaseMediaOf } from '../core/status/media.js'
import { lockAllForChange, rowsOf, type StatusRow } from '../core/status/store.js'
import { removeStatus } from '../deletion/index.js'
import { work } from '../handlers.js'
import { deletableIn, nextPass, WINDOW } from './rules.js'
import { deferCleanup, lockCleanup, moveCleanup, oldStatuses } from './store.js'

const DAY_MS = 86_400_000

/**
 * Runs one cleanup pass: deletes the next old statuses that the policy of the account does not keep, and returns their
 * rows. A concurrent change of the policy waits for the lock and applies to the next pass.
 */
const runPass = async (ctx: Context, tx: Tx, account: string): Promise<StatusRow[]> => {
  const policy = await lockCleanup(tx, account)
  if (!policy?.enabled) return []
  const now = ctx.clock.now()
  const window = await oldStatuses(tx, account, policy, new Date(now - policy.age * DAY_MS), WINDOW)
  const deletable = deletableIn(window)
  const rows = [...(await rowsOf(tx, await lockAllForChange(tx, deletable.ids))).values()]
  await removeStatus(ctx, tx, ...rows)
  await moveCleanup(tx, account, nextPass(now, policy, deletable))
  return rows
}

/**
 * Whether the cleanup policy of an account may delete statuses: the account exists, and is neither suspended, disabled
 * nor a memorial.
 */
const mayAct = async (ctx: Context, account: string): Promise<boolean> => {
  try {
    const { author, disabled } = await ctx.call(showAuthor, { id: account })
    return !author.suspended && !disabled
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return false
    throw error
  }
}

export const cleanUp = work(cleanUpJob, async (ctx, { account }) => {
  if (!(await mayAct(ctx, account)))
    return void (await deferCleanup(ctx.db, account, new Date(ctx.clock.now() + DAY_MS)))
  const gone = await ctx.db.tx((tx) => runPass(ctx, tx, account))
  if (gone.length === 0) return
  const ids = gone.map((row) => row.id)
  ctx.invalidations.send(statusInvalidation, ids)
  await releaseMediaOf(ctx, gone, true)
})
