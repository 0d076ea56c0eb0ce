/** Fetches profiles of remote accounts again: one immediately, or all in a task. */
import { fetchActor } from '@murmuration/contracts/federation'
import { mapLimited } from '@murmuration/flow'
import { taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { type AccountRow, accountsByIds } from '../core/account/store.js'
import { chunkOf } from './chunk.js'
import { CHUNK_PAUSE_MS } from './chunk.rules.js'
import { applyFetchResult } from './resolve.js'
import { accountWindow, estimateAccounts } from './window.store.js'

export type Refreshed = 'refreshed' | 'gone' | 'unavailable'

/** Maximum number of profiles that one chunk of the task fetches concurrently. */
export const AT_ONCE = 8
const WINDOW = 200

/** Fetches an actor. A failed call counts as a server that does not respond. */
export const fetchRemote = async (ctx: Context, uri: string, how: { fresh?: boolean; behind?: boolean }) => {
  const begunAt = ctx.clock.date()
  return ctx.call(fetchActor, { uri, ...how }).then(
    (result) => ({ ...result, begunAt }),
    () => ({ outcome: 'later' as const, actor: null, begunAt }),
  )
}

/** Applies the response of the server to the stored account. */
export const applyRefresh = async (
  ctx: Context,
  row: AccountRow,
  result: Awaited<ReturnType<typeof fetchRemote>>,
): Promise<Refreshed> => {
  // The fetch may have failed because the limit of requests to this server is reached. Therefore no failure is stored.
  if (result.outcome === 'later') return 'unavailable'
  const kept = await applyFetchResult(ctx, { uri: row.uri }, row, result)
  if (result.outcome === 'gone') return 'gone'
  return result.outcome === 'ok' && kept !== null ? 'refreshed' : 'unavailable'
}

const refreshAccount = async (ctx: Context, row: AccountRow): Promise<Refreshed> =>
  applyRefresh(ctx, row, await fetchRemote(ctx, row.uri, { fresh: true, behind: true }))

export interface RefreshInput {
  domain: string | null
}

interface Prepared {
  next: string | null
  results: Refreshed[]
  seen: number
  isFull: boolean
}

export const refreshKind = taskKind<Context>()<RefreshInput, Prepared>({
  name: 'refresh-accounts',
  permission: 'manage_federation',
  act: ({ domain }) => ({ action: 'refresh_accounts', target: domain ?? '' }),
  total: (ctx, { domain }) => (domain === null ? estimateAccounts(ctx.db) : Promise.resolve(0)),
  async prepare(ctx, { input, after, dryRun }) {
    const domains = input.domain === null ? [] : [input.domain]
    const window = await accountWindow(ctx.db, { after, domains, limit: WINDOW })
    const end = window.length < WINDOW ? null : (window.at(-1)?.id ?? null)
    const remote = window.filter((row) => row.domain !== null)
    if (dryRun) return { next: end, results: remote.map(() => 'refreshed'), seen: remote.length, isFull: false }
    const { due, last, isFull } = chunkOf(remote, after)
    const rows = await accountsByIds(
      ctx.db,
      due.map((row) => row.id),
    )
    const results = await mapLimited(rows, AT_ONCE, (row) => refreshAccount(ctx, row))
    return { next: last ?? end, results, seen: due.length, isFull }
  },
  async apply(_ctx, _tx, _step, { next, results, seen, isFull }) {
    const count = (wanted: Refreshed) => results.filter((one) => one === wanted).length
    const [gone, unavailable] = [count('gone'), count('unavailable')]
    return {
      next,
      seen,
      changed: count('refreshed') + gone,
      notes: { ...(gone && { gone }), ...(unavailable && { unavailable }) },
      ...(isFull && { pauseMs: CHUNK_PAUSE_MS }),
    }
  },
})
