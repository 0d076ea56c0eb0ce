/** Task that deletes all local accounts in steps. The federation service publishes the Delete of each account to all servers that know it. */
import { taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { lockAccounts } from '../core/lock.store.js'
import { remove, removeUnused } from './remove.js'
import { countHolders, holdersAfter } from './self-destruct.store.js'

const CHUNK = 20
/** Pause in milliseconds between two steps, so that deliveries of a step begin before the next one. */
const PAUSE_MS = 2_000

export interface SelfDestructInput {
  domain: string
}

export const selfDestructKind = taskKind<Context>()<SelfDestructInput>({
  name: 'self-destruct',
  permission: 'administrator',
  act: ({ domain }) => ({ action: 'self_destruct', target: domain }),
  total: (ctx) => countHolders(ctx.db),
  async apply(ctx, tx, { after, dryRun }) {
    const window = await holdersAfter(tx, after, CHUNK)
    const last = window.at(-1)?.account_id ?? null
    const next = window.length < CHUNK ? null : last
    if (dryRun || last === null) return { next, seen: window.length, changed: window.length }
    await lockAccounts(
      tx,
      window.map((one) => one.account_id),
    )
    // The accounts are read again, because some may have been deleted before they were locked.
    const ids = new Set(window.map((one) => one.account_id))
    const users = (await holdersAfter(tx, after, CHUNK)).filter((one) => ids.has(one.account_id))
    const used = users.filter((one) => one.used)
    const unused = users.filter((one) => !one.used)
    if (used.length > 0) await remove(ctx, tx, used)
    const erased = unused.length > 0 ? await removeUnused(ctx, tx, unused) : []
    return {
      next,
      seen: window.length,
      changed: used.length + erased.length,
      ...(next !== null && { pauseMs: PAUSE_MS }),
    }
  },
})
