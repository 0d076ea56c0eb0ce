/** Task that removes remote accounts whose server responds that they no longer exist. */
import { mapLimited } from '@murmuration/flow'
import { taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { type AccountRow, accountsByIds } from '../core/account/store.js'
import { chunkOf } from './chunk.js'
import { CHUNK_PAUSE_MS, isSuspect } from './chunk.rules.js'
import { AT_ONCE, fetchRemote } from './refresh.js'
import { removeRemote } from './remove.js'
import { applyFetchResult } from './resolve.js'
import { accountWindow, estimateAccounts } from './window.store.js'

const WINDOW = 500

export interface CullInput {
  domains: string[]
}

type Checked = 'gone' | 'there' | 'unavailable'

interface Prepared {
  next: string | null
  results: Checked[]
  seen: number
  isFull: boolean
}

/**
 * Fetches a remote account and applies the result. Only the responses 404 and 410 show that the account is gone; a
 * failure or a refusal does not.
 */
const check = async (ctx: Context, row: AccountRow, dryRun: boolean): Promise<Checked> => {
  const result = await fetchRemote(ctx, row.uri, { behind: true })
  const isGone = result.outcome === 'gone' || result.outcome === 'not-found'
  if (isGone) {
    if (!dryRun) await removeRemote(ctx, row)
    return 'gone'
  }
  if (result.outcome !== 'ok') return 'unavailable'
  if (!dryRun) await applyFetchResult(ctx, { uri: row.uri }, row, result)
  return 'there'
}

export const cullKind = taskKind<Context>()<CullInput, Prepared>({
  name: 'cull-accounts',
  permission: 'manage_federation',
  act: ({ domains }) => ({ action: 'cull_accounts', target: domains.join(', ') }),
  total: (ctx, { domains }) => (domains.length === 0 ? estimateAccounts(ctx.db) : Promise.resolve(0)),
  async prepare(ctx, { input, after, dryRun }) {
    const window = await accountWindow(ctx.db, { after, domains: input.domains, limit: WINDOW })
    const end = window.length < WINDOW ? null : (window.at(-1)?.id ?? null)
    const suspects = window.filter((row) => isSuspect(row, ctx.clock.now()))
    const { due, last, isFull } = chunkOf(suspects, after)
    const rows = await accountsByIds(
      ctx.db,
      due.map((row) => row.id),
    )
    const results = await mapLimited(rows, AT_ONCE, (row) => check(ctx, row, dryRun))
    const seen = last === null ? window.length : window.filter((row) => BigInt(row.id) <= BigInt(last)).length
    return { next: last ?? end, results, seen, isFull }
  },
  async apply(_ctx, _tx, _step, { next, results, seen, isFull }) {
    const unavailable = results.filter((one) => one === 'unavailable').length
    return {
      next,
      seen,
      changed: results.filter((one) => one === 'gone').length,
      notes: { asked: results.length, ...(unavailable && { unavailable }) },
      ...(isFull && { pauseMs: CHUNK_PAUSE_MS }),
    }
  },
})
