/**
 * Stores and updates quotes by remote statuses. A quote is accepted only with a proved approval. Unknown quoted
 * statuses are fetched later.
 */
import type { AccountRecord } from '@murmuration/contracts/accounts'
import { checkQuote, type RemoteStatus } from '@murmuration/contracts/statuses'
import type { Reader, Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { idByAddress } from '../core/address/find.js'
import { quoteAuthorizationUri } from '../core/address/rules.js'
import { authorizationFor, insertAuthorization, type QuoteAuthorizationRow } from '../core/quote/authorization.store.js'
import { changeQuote, type End, type Quoting, storeQuote } from '../core/quote/quote.js'
import { QUOTE_DEPTH, type StoredState } from '../core/quote/rules.js'
import { deleteQuotesOf, holdQuote, type QuoteRow, updateQuote } from '../core/quote/store.js'
import { addToMany } from '../core/status/count.store.js'
import { isRecent } from '../core/status/remote.rules.js'
import { rowOf, type StatusRow, setHasQuote } from '../core/status/store.js'
import { hasTombstone } from '../core/status/tombstone.store.js'
import { isHiddenFrom } from '../core/visibility/named-status.js'
import { mayQuote } from './consent.js'

/**
 * Id of the stored status that a quote names by `uri`. If no status has this address, `known` may: an earlier request
 * resolved the address and stored the id in the quote.
 */
const quotedId = async (ctx: Context, uri: string, known: QuoteRow | undefined): Promise<string | null> =>
  (await idByAddress(ctx, ctx.db, uri)) ?? (known?.quoted_uri === uri ? known.quoted_id : null)

/** State of a quote of a local status, by the authorization that is stored here. */
const ownDecision = async (
  db: Reader,
  quoted: Pick<End, 'id' | 'uri'>,
  uri: string,
): Promise<{ state: StoredState; stamp: string | null }> => {
  return stateOf(await authorizationFor(db, quoted.id, uri), quoted)
}

const stateOf = (
  given: QuoteAuthorizationRow | null,
  quoted: Pick<End, 'uri'>,
): { state: StoredState; stamp: string | null } => {
  if (given === null) return { state: 'pending', stamp: null }
  return given.revoked
    ? { state: 'revoked', stamp: null }
    : { state: 'accepted', stamp: quoteAuthorizationUri(quoted.uri, given.id) }
}

/**
 * Applies the authorizations that are stored now to a quote, because they may have changed since the quote was read. A
 * legacy quote gets its authorization here, because its server never requests one.
 */
const withOwnDecision = async (
  ctx: Context,
  tx: Tx,
  quoting: Quoting,
  status: Pick<End, 'uri' | 'author_id'>,
  known: QuoteRow | null,
): Promise<Quoting> => {
  const { quoted } = quoting
  if (!quoted?.local || quoting.state === 'rejected') return quoting
  const decision = await ownDecision(tx, quoted, status.uri)
  const wasRevoked = known?.state === 'revoked' && known.quoted_id === quoted.id
  if (decision.state !== 'pending' || !quoting.allowed || wasRevoked) return { ...quoting, ...decision }
  const given = await insertAuthorization(tx, {
    id: ctx.ids.next(),
    quoted_id: quoted.id,
    quoted_author_id: quoted.author_id,
    quoting_uri: status.uri,
    quoting_author_id: status.author_id,
  })
  return { ...quoting, ...stateOf(given, quoted) }
}

/** State of the quote of a local status by a remote one. */
const ofLocal = async (
  ctx: Context,
  status: RemoteStatus,
  author: AccountRecord,
  legacy: boolean,
  quoted: StatusRow,
) => {
  const decision = await ownDecision(ctx.db, quoted, status.uri)
  const isUnrequested = decision.state === 'pending' && legacy && !author.suspended && quoted.deleted_at === null
  return { ...decision, allowed: isUnrequested && (await mayQuote(ctx, author.id, quoted)) }
}

/**
 * The quote of a remote status, with the state that follows from the data stored here; null without a quote.
 * @param known the stored quote of an earlier version
 */
export const quotingOf = async (
  ctx: Context,
  status: RemoteStatus,
  author: AccountRecord,
  known?: QuoteRow,
): Promise<Quoting | null> => {
  const { quote } = status
  if (quote === null) return null
  const { legacy } = quote
  // The quoted status is deleted, so the quote is stored and shown as one of a deleted status.
  if (quote.uri === null) return { quoted: null, uri: null, state: 'accepted', legacy, stamp: null }
  const id = await quotedId(ctx, quote.uri, known)
  const quoted = id === null ? null : await rowOf(ctx.db, id)
  const isAbsent = quoted === null || (await isHiddenFrom(ctx, author.id, quoted))
  if (isAbsent) return { quoted: null, absent: id, uri: quote.uri, state: 'pending', legacy, stamp: quote.stamp }
  const found = { quoted, uri: null, legacy }
  if (quoted.reblog_of_id !== null) return { ...found, state: 'rejected', stamp: null }
  if (quoted.author_id === status.author) return { ...found, state: 'accepted', stamp: null }
  return quoted.local
    ? { ...found, ...(await ofLocal(ctx, status, author, legacy, quoted)) }
    : { ...found, state: 'pending', stamp: quote.stamp }
}

/**
 * Whether a pending quote needs requests to other servers: for an unknown quoted status, or for the approval of a known
 * one.
 */
const isOpen = (quoting: Quoting): boolean =>
  quoting.state === 'pending' && (quoting.quoted === null || (!quoting.quoted.local && quoting.stamp !== null))

/** Stores the quote of a new remote status, and queues its check if it is open. The caller has locked the URI, or the status. */
export const storeRemoteQuote = async (
  ctx: Context,
  tx: Tx,
  status: End & { push: boolean },
  seen: Quoting,
  depth: number,
): Promise<void> => {
  const quoting = await withOwnDecision(ctx, tx, seen, status, null)
  await storeQuote(ctx, tx, status, quoting)
  if (isOpen(quoting) && depth > 0) await ctx.queue(tx, checkQuote, { status: status.id, depth })
}

/** Whether a revoked quote may be shown again with this approval. It may not if the quoted author deleted the approval. */
const mayReturn = async (tx: Tx, quoted: End, stamp: string | null): Promise<boolean> =>
  stamp !== null && !(await hasTombstone(tx, quoted.author_id, stamp))

/**
 * Updates the stored quote of a remote status. Returns whether the quote changed. The caller has locked the status.
 * @param explicit false for a version that may omit the quote; a stored quote is then kept
 */
export const syncQuote = async (
  ctx: Context,
  tx: Tx,
  row: StatusRow,
  seen: Quoting | null,
  explicit: boolean,
): Promise<boolean> => {
  const known = row.has_quote ? await holdQuote(tx, row.id) : null
  const quoting = seen && (await withOwnDecision(ctx, tx, seen, row, known))
  const isSame =
    known !== null &&
    quoting !== null &&
    (known.quoted_id === null
      ? known.quoted_uri === (quoting.quoted?.uri ?? quoting.uri)
      : known.quoted_id === (quoting.quoted?.id ?? quoting.absent))
  // The quote of a status that was deleted or hidden meanwhile stays as it is.
  if (isSame && known.quoted_id !== null && quoting.quoted === null) return false
  if (isSame) {
    // An authorization of this server applies whatever is claimed. A proved approval needs no second proof.
    const isFinal = quoting.quoted?.local || known.stamp_uri === quoting.stamp
    if (quoting.quoted && quoting.state !== 'pending') {
      const next = { state: quoting.state, stamp: quoting.stamp }
      // An old quote that a newer policy allows causes no notification.
      const push = !quoting.allowed || isRecent(row.created_at, ctx.clock.now())
      return changeQuote(ctx, tx, known, row, quoting.quoted, next, push)
    }
    if (!isFinal && quoting.quoted) {
      if (known.state === 'revoked' && !(await mayReturn(tx, quoting.quoted, quoting.stamp))) return false
      if (quoting.stamp !== null) await ctx.queue(tx, checkQuote, { status: row.id, depth: QUOTE_DEPTH })
      // A revoked quote stays revoked until the claimed approval is proved.
      const state = known.state === 'revoked' ? 'revoked' : 'pending'
      return changeQuote(ctx, tx, known, row, quoting.quoted, { state, stamp: quoting.stamp })
    }
    if (!quoting.quoted && known.stamp_uri !== quoting.stamp) {
      await updateQuote(tx, row.id, { ...known, stamp_uri: quoting.stamp }, ctx.clock.date())
      await ctx.queue(tx, checkQuote, { status: row.id, depth: QUOTE_DEPTH })
      return true
    }
    return false
  }
  if (!explicit) return false
  const quoted = known ? await deleteQuotesOf(tx, [row.id]) : []
  if (row.held === null) await addToMany(tx, 'quotes', quoted, -1)
  if (quoting) await storeRemoteQuote(ctx, tx, { ...row, push: true }, quoting, QUOTE_DEPTH)
  if (row.has_quote !== (quoting !== null)) await setHasQuote(tx, row.id, quoting !== null)
  return known !== null || quoting !== null
}
