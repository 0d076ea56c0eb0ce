/** Task that fetches remote attachments again: of a status, an account, a server, or of the last days. */
import { mapLimited } from '@murmuration/flow'
import { chunkByHost, taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { copyRemote, type Outcome } from '../remote-file/index.js'
import { type RefreshRow, refreshWindow, sizesOf } from './refresh.store.js'

const WINDOW = 2_000
/** Maximum number of files of one chunk, and maximum number of those files per host. */
const MAX_FILES = { max: 40, perHost: 30 }
const AT_ONCE = 8
const PAUSE_MS = 60_000
/**
 * Milliseconds for which a chunk waits for the copy of a file. The copy then continues, and the chunk no longer waits
 * for it.
 */
const PATIENCE_MS = 20_000

export interface RefreshInput {
  status: string | null
  owner: string | null
  domain: string | null
  /** Id below all attachments of the task: only those with a higher id are fetched. */
  since: string
  force: boolean
  /** Description of the scope for the audit log. */
  scope: string
}

interface Prepared {
  next: string | null
  seen: number
  due: RefreshRow[]
  outcomes: (Outcome | 'slow')[]
  bytes: number
  isFull: boolean
}

const isWanted = (row: RefreshRow, { domain, force }: RefreshInput): boolean =>
  row.remote_url !== null &&
  (force || !row.copied) &&
  (domain === null || row.domain === domain || (row.domain?.endsWith(`.${domain}`) ?? false))

const hostOf = (row: RefreshRow): string => (row.remote_url ?? '').split('/')[2] ?? ''

const copy = (ctx: Context, id: string): Promise<Outcome | 'slow'> =>
  Promise.race([
    copyRemote(ctx, { what: 'attachment', id }, 'look').catch(() => 'failed' as const),
    ctx.clock.sleep(PATIENCE_MS).then(() => 'slow' as const),
  ])

export const refreshKind = taskKind<Context>()<RefreshInput, Prepared>({
  name: 'refresh-media',
  permission: 'view_devops',
  act: ({ scope }) => ({ action: 'refresh_media', target: scope }),
  async prepare(ctx, { input, after, dryRun }) {
    const from = after || input.since
    const window = await refreshWindow(ctx.db, { ...input, after: from, limit: WINDOW })
    const wanted = window.filter((row) => isWanted(row, input))
    const end = window.length < WINDOW ? null : (window.at(-1)?.id ?? null)
    if (dryRun) return { next: end, seen: window.length, due: wanted, outcomes: [], bytes: 0, isFull: false }
    const { due, last, isFull } = chunkByHost(wanted, { before: from, hostOf, ...MAX_FILES })
    const outcomes = await mapLimited(due, AT_ONCE, (row) => copy(ctx, row.id))
    const copied = due.filter((_, n) => outcomes[n] === 'copied').map((row) => row.id)
    const seen = last === null ? window.length : window.filter((row) => BigInt(row.id) <= BigInt(last)).length
    return { next: last ?? end, seen, due, outcomes, bytes: await sizesOf(ctx.db, copied), isFull }
  },
  async apply(_ctx, _tx, { dryRun }, { next, seen, due, outcomes, bytes, isFull }) {
    const copied = outcomes.filter((one) => one === 'copied').length
    const failed = outcomes.length - copied
    return {
      next,
      seen,
      changed: dryRun ? due.length : copied,
      bytes,
      notes: { ...(failed && { unavailable: failed }) },
      ...(isFull && { pauseMs: PAUSE_MS }),
    }
  },
})
