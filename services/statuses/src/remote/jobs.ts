/** Jobs that fetch statuses of other servers. */
import { fetchObject } from '@murmuration/contracts/federation'
import { notYet } from '@murmuration/contracts/kit'
import {
  checkQuote as checkQuoteJob,
  fetchParent as fetchParentJob,
  refreshStatus as refreshStatusJob,
  statusInvalidation,
} from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { isUnproved } from '../core/quote/rules.js'
import { type QuoteRow, quotesOf } from '../core/quote/store.js'
import { rowOf } from '../core/status/store.js'
import { isHiddenFrom } from '../core/visibility/named-status.js'
import { work } from '../handlers.js'
import { proveAgain, reconcileQuote } from '../quote/index.js'
import { applyFetchResult } from './absence.js'
import { adoptByAddress } from './parent.js'
import { reachStatus, storeNote } from './resolve.js'

/**
 * The job that fetches a remote status again for data that changes without an edit: poll, counts, and whether it still
 * exists.
 */
export const refreshStatus = work(refreshStatusJob, async (ctx, { status }) => {
  const row = await rowOf(ctx.db, status)
  if (!row || row.local || row.deleted_at !== null) return
  const { outcome, note } = await ctx.call(fetchObject, { url: row.uri, behind: true })
  await applyFetchResult(ctx, row.uri, outcome)
  if (note === null || note.uri !== row.uri) return
  await storeNote(ctx, note, 0, 0)
  ctx.invalidations.send(statusInvalidation, [status])
})

/**
 * The job that fetches the unknown parent of a remote reply. Further jobs fetch ancestors of this parent, `depth`
 * statuses in all.
 */
export const fetchParent = work(fetchParentJob, async (ctx, { uri, depth }, meta) => {
  const { id, later } = await reachStatus(ctx, uri, { depth: depth - 1, behind: true })
  if (id !== null) await adoptByAddress(ctx, uri, id)
  if (later && meta.tries < fetchParentJob.retry.times) throw notYet('The parent cannot be read yet')
})

/** Limits for quoted statuses: no parents, and few lookups of mentioned accounts, because no reader requested them. */
const NO_PARENTS = 0
const MAX_LOOKUPS = 5

const reachQuoted = async (ctx: Context, uri: string | null, depth: number) => {
  if (uri === null || depth < 1) return { id: null, later: false }
  const bounds = { depth: NO_PARENTS, quotes: depth - 1, lookups: { left: MAX_LOOKUPS }, behind: true, exact: true }
  return reachStatus(ctx, uri, bounds)
}

/**
 * Finds the quoted status of an unproved quote, and accepts or rejects the quote if possible. Returns true to try again later, because
 * the quoted status or its approval cannot be read yet.
 */
const resolveQuote = async (ctx: Context, quote: QuoteRow, depth: number): Promise<boolean> => {
  const found = quote.quoted_id === null ? await reachQuoted(ctx, quote.quoted_uri, depth) : null
  if (found?.later) return true
  const quotedId = quote.quoted_id ?? found?.id ?? null
  const [status, quoted] = await Promise.all([
    rowOf(ctx.db, quote.status_id),
    quotedId === null ? null : rowOf(ctx.db, quotedId),
  ])
  if (status === null || quoted === null || (await isHiddenFrom(ctx, status.author_id, quoted))) return false
  return (await reconcileQuote(ctx, status, quoted)) === 'later'
}

/** The job that finds the status that a remote one quotes, and proves the approval. A proof that is too old is checked again. */
export const checkQuote = work(checkQuoteJob, async (ctx, { status: id, depth }, { tries }) => {
  const quote = (await quotesOf(ctx.db, [id])).get(id)
  if (quote?.state === 'accepted') {
    const shown = await rowOf(ctx.db, id)
    return shown && !shown.local ? proveAgain(ctx, shown) : undefined
  }
  if (!quote || !isUnproved(quote)) return
  // If the quoted status or its approval cannot be read at the last try, the quote stays as it is until the next
  // refetch.
  if ((await resolveQuote(ctx, quote, depth)) && tries < checkQuoteJob.retry.times)
    throw notYet('The quoted status or its approval cannot be read yet')
})
