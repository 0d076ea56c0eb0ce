/** Proves approvals of quotes by remote statuses, once when they are stored and again after days. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { fetchAuthorization } from '@murmuration/contracts/federation'
import { canonicalAddress } from '@murmuration/text/own-address'
import type { Context } from '../context.js'
import { localQuoteAuthorizationId } from '../core/address/rules.js'
import { authorizationById } from '../core/quote/authorization.store.js'
import { changeQuote } from '../core/quote/quote.js'
import { endedState, isUnproved, PROVED_FOR_MS, type StoredState } from '../core/quote/rules.js'
import { countMiss, holdQuote, quoteProvedBefore, quotesOf, updateQuote } from '../core/quote/store.js'
import { isOfOrigin } from '../core/status/remote.rules.js'
import { rowOf, type StatusRow } from '../core/status/store.js'

/**
 * Result of the check of a claimed approval:
 * - `valid`: proved
 * - `invalid`: refuted; the claim is never valid
 * - `not-found`: not found; the approval may exist again later
 * - `later`: could not be read; worth another try soon
 * - `unknown`: could not be read; not worth another try soon
 * @param quoted the quoted status, or the parent if `reply` is set
 */
export const checkApproval = async (
  ctx: Context,
  authorization: string,
  status: StatusRow,
  quoted: StatusRow,
  reply = false,
): Promise<'valid' | 'invalid' | 'not-found' | 'later' | 'unknown'> => {
  if (quoted.local) {
    const id = localQuoteAuthorizationId(ctx.site.origin, canonicalAddress(ctx, authorization))
    const given = id === null ? null : await authorizationById(ctx.db, id)
    const fits = given !== null && !given.revoked && given.quoted_id === quoted.id && given.quoting_uri === status.uri
    return fits ? 'valid' : 'invalid'
  }
  const { records } = await ctx.call(accountRecords, { ids: [quoted.author_id] })
  const [author] = records
  // The URI of an approval must have the same origin as the actor of its author.
  if (!author || !isOfOrigin(authorization, author.uri)) return 'invalid'
  const { outcome, unfit } = await ctx.call(fetchAuthorization, {
    stamp: authorization,
    status: status.uri,
    quoted: quoted.uri,
    quotedAuthor: author.uri,
    reply,
  })
  if (outcome === 'ok') return 'valid'
  if (unfit || outcome === 'gone') return 'invalid'
  if (outcome === 'not-found') return 'not-found'
  return outcome === 'later' ? 'later' : 'unknown'
}

/** State of an unproved quote by the result of the check. */
const stateAfter = (check: 'valid' | 'invalid' | 'not-found' | 'unknown', before: StoredState): StoredState => {
  if (check === 'valid') return 'accepted'
  return check === 'invalid' ? endedState(before) : before
}

/**
 * Accepts or rejects an unproved quote of a remote status whose quoted status is stored. Returns `later` if the approval
 * cannot be read.
 */
export const reconcileQuote = async (ctx: Context, status: StatusRow, quoted: StatusRow): Promise<'done' | 'later'> => {
  const known = (await quotesOf(ctx.db, [status.id])).get(status.id)
  if (!known || !isUnproved(known) || quoted.reblog_of_id !== null) return 'done'
  const isOwn = quoted.author_id === status.author_id
  const authorization = known.stamp_uri
  const check = isOwn
    ? 'valid'
    : authorization === null
      ? 'unknown'
      : await checkApproval(ctx, authorization, status, quoted)
  if (check === 'later') return 'later'
  const next = { state: stateAfter(check, known.state), stamp: check === 'invalid' ? null : authorization }
  await ctx.db.tx(async (tx) => {
    const row = await holdQuote(tx, status.id)
    // If the stored approval was changed during the check, the result of this check is ignored. That change queued a
    // check of its own.
    if (row?.state === known.state && row.stamp_uri === authorization)
      await changeQuote(ctx, tx, row, status, quoted, next)
  })
  return 'done'
}

const DAY_MS = 86_400_000

/** Number of consecutive days on which an approval must be missing before it counts as revoked. */
const MAX_MISSED = 3

/**
 * Minimum milliseconds between two checks that count as missing the approval. Somewhat less than the day between two
 * refetches.
 */
const MISSED_FOR_MS = DAY_MS - 3_600_000

/**
 * Reads the approval of a shown quote again if it was proved days ago. A revoked or unsuitable approval hides the
 * quote, and so does one that is not found for several days.
 */
export const proveAgain = async (ctx: Context, status: StatusRow): Promise<void> => {
  const known = await quoteProvedBefore(ctx.db, status.id, new Date(ctx.clock.now() - PROVED_FOR_MS))
  const quoted = known === null ? null : await rowOf(ctx.db, known.quoted_id)
  if (known === null || quoted === null || quoted.local) return
  const check = await checkApproval(ctx, known.stamp_uri, status, quoted)
  // If the approval could not be read, the state of the quote stays, and the next refetch checks again.
  if (check === 'later' || check === 'unknown') return
  await ctx.db.tx(async (tx) => {
    const row = await holdQuote(tx, status.id)
    if (row?.state !== 'accepted' || row.stamp_uri !== known.stamp_uri) return
    const now = ctx.clock.date()
    if (check === 'valid') {
      await updateQuote(tx, status.id, row, now)
      return
    }
    const since = new Date(now.getTime() - MISSED_FOR_MS)
    const stays = check === 'not-found' && (await countMiss(tx, status.id, now, since)) < MAX_MISSED
    if (!stays) await changeQuote(ctx, tx, row, status, quoted, { state: 'revoked', stamp: null })
  })
}
