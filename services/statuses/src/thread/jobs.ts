/** The job that fetches the thread around a remote status that was viewed: missing ancestors, and replies. */
import { isDefectOfOther } from '@murmuration/contracts/kit'
import { fetchRepliesJob } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { THREAD_REST_S, threadRefreshName } from '../core/async-refresh/rules.js'
import { updateRefresh } from '../core/async-refresh/store.js'
import { ancestorsOf } from '../core/reply/thread.store.js'
import { rowOf, type StatusRow } from '../core/status/store.js'
import { work } from '../handlers.js'
import { adoptByAddress, reachStatus } from '../remote/index.js'
import { crawlReplies } from './crawl.js'

/** Maximum number of ancestors that are walked to find a missing parent. */
const MAX_ABOVE = 200

/**
 * Fetches the missing parent of the topmost known ancestor. Jobs fetch the further ancestors. Returns the number of new
 * statuses, 0 or 1.
 */
const seekParent = async (ctx: Context, row: StatusRow): Promise<number> => {
  const top = (await ancestorsOf(ctx.db, row.id, MAX_ABOVE)).at(-1)?.id
  const first = top === undefined ? row : await rowOf(ctx.db, top)
  if (!first || first.in_reply_to_id !== null || first.in_reply_to_uri === null) return 0
  const uri = first.in_reply_to_uri
  const { id, created } = await reachStatus(ctx, uri, { behind: true }).catch((error) => {
    // The replies are fetched even if the parent causes an error in another service.
    if (!isDefectOfOther(error)) throw error
    ctx.log.warn({ error, address: uri }, 'the parent of a thread was not stored')
    return { id: null, created: false }
  })
  if (id === null) return 0
  await adoptByAddress(ctx, uri, id)
  // The address of the parent was chosen by another server. Counting a stored status would reveal whether a hidden local
  // one exists.
  return created ? 1 : 0
}

const reporter =
  (ctx: Context, status: string, id: string) =>
  (finished: boolean, count: number): Promise<void> =>
    updateRefresh(
      ctx.redis,
      threadRefreshName(status),
      { id, status: finished ? 'finished' : 'running', count },
      finished ? THREAD_REST_S : undefined,
    )

export const fetchRepliesWork = work(
  fetchRepliesJob,
  async (ctx, { status, refresh }) => {
    const report = reporter(ctx, status, refresh)
    const row = await rowOf(ctx.db, status)
    if (!row || row.local || row.deleted_at !== null) return report(true, 0)
    const above = await seekParent(ctx, row)
    const below = await crawlReplies(ctx, row.uri, (created) => report(false, above + created))
    await report(true, above + below)
  },
  // The async refresh is marked as finished, so that clients do not wait for it.
  { gaveUp: (ctx, { status, refresh }) => reporter(ctx, status, refresh)(true, 0) },
)
