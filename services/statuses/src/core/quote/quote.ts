/**
 * Stores quotes and changes their state, in the caller's transaction. Accepted quotes are counted unless the quoting
 * status is held.
 */
import { fanOut, quoteAccepted, quoteRequested, quoteRevoked, statusRefreshed } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../../context.js'
import { quoteAuthorizationUri } from '../address/rules.js'
import { isHeld } from '../reply/held.store.js'
import { addTo } from '../status/count.store.js'
import { lockIfNotDeleted, rowsOf } from '../status/store.js'
import { insertAuthorization } from './authorization.store.js'
import { quotedMissing, type StoredState } from './rules.js'
import { insertQuote, type QuoteRow, quotesOf, setUnannounced, updateQuote } from './store.js'

/** One end of a quote: the quoting or the quoted status. */
export interface End {
  id: string
  uri: string
  author_id: string
  local: boolean
}

/** Quote of a new status. */
export interface Quoting {
  /** The quoted status; null if it is not stored here. */
  quoted: End | null
  /** Id of the quoted status if it is stored here, and deleted or hidden from the author of the quote. `quoted` is then null. */
  absent?: string | null
  /** ActivityPub id of a quoted status that is not stored here; null otherwise. */
  uri: string | null
  state: StoredState
  legacy: boolean
  /** Address of the quote authorization; proved if the state is `accepted`. */
  stamp: string | null
  /** For legacy quotes, which have no authorization: whether the policy of the quoted status allows the quote. */
  allowed?: boolean
}

const quoteEvent = (id: string, status: End, quoted: End) => ({
  id,
  status: status.id,
  statusUri: status.uri,
  author: status.author_id,
  local: status.local,
  quoted: quoted.id,
  quotedUri: quoted.uri,
  quotedAuthor: quoted.author_id,
  quotedLocal: quoted.local,
})

/**
 * Creates the authorization of a quote between local accounts, so that other servers accept it. Null if none is stored.
 */
const localAuthorization = async (ctx: Context, tx: Tx, status: End, quoted: End): Promise<string | null> => {
  const given = await insertAuthorization(tx, {
    id: ctx.ids.next(),
    quoted_id: quoted.id,
    quoted_author_id: quoted.author_id,
    quoting_uri: status.uri,
    quoting_author_id: status.author_id,
  })
  return given && quoteAuthorizationUri(quoted.uri, given.id)
}

/** Stores the quote of a new status, counts it, and announces it or the request for approval. */
export const storeQuote = async (
  ctx: Context,
  tx: Tx,
  status: End & { push: boolean },
  { quoted, uri, state, legacy, stamp }: Quoting,
): Promise<void> => {
  if (quoted && status.local && !(await lockIfNotDeleted(tx, quoted.id))) throw quotedMissing()
  const isShown = quoted !== null && state === 'accepted'
  const approval = isShown && status.local && quoted.local ? await localAuthorization(ctx, tx, status, quoted) : stamp
  const id = ctx.ids.next()
  await insertQuote(tx, {
    status_id: status.id,
    id,
    author_id: status.author_id,
    quoted_id: quoted?.id ?? null,
    quoted_author_id: quoted?.author_id ?? null,
    quoted_uri: uri,
    state,
    legacy,
    stamp_uri: approval,
  })
  if (isShown) {
    const held = await isHeld(tx, status.id)
    if (!held) await addTo(tx, 'quotes', quoted.id, 1)
    if (held && status.push) await setUnannounced(tx, status.id, true)
    await ctx.announce(tx, quoteAccepted, { ...quoteEvent(id, status, quoted), push: status.push && !held })
  } else if (quoted && status.local && state === 'pending')
    await ctx.announce(tx, quoteRequested, quoteEvent(id, status, quoted))
}

/** Announces the accepted quotes of replies that are released, because a quote of a held reply causes no notification. */
export const announceQuotes = async (ctx: Context, tx: Tx, statuses: readonly End[]): Promise<void> => {
  if (statuses.length === 0) return
  const quotes = await quotesOf(
    tx,
    statuses.map((status) => status.id),
  )
  const quoted = await rowsOf(
    tx,
    [...quotes.values()].flatMap((quote) => (quote.state === 'accepted' ? (quote.quoted_id ?? []) : [])),
  )
  const events = statuses.flatMap((status) => {
    const quote = quotes.get(status.id)
    // `quoted` may contain the quoted status of this pending quote, because another reply has an accepted quote of it.
    if (quote?.state !== 'accepted') return []
    const original = quoted.get(quote.quoted_id ?? '')
    return original?.deleted_at === null ? [{ ...quoteEvent(quote.id, status, original), push: true }] : []
  })
  await ctx.announce(tx, quoteAccepted, ...events)
}

/** Announces to open connections and other servers that a status looks different, although its content is the same. */
export const refreshed = async (
  ctx: Context,
  tx: Tx,
  status: Pick<End, 'id' | 'author_id' | 'local'>,
): Promise<void> => {
  await ctx.queue(tx, fanOut, { status: status.id, edited: ctx.clock.now() })
  if (!status.local) return
  await ctx.announce(tx, statusRefreshed, { id: status.id, author: status.author_id })
}

/**
 * Changes the state of a quote. Returns false if nothing changed. The caller has locked the row.
 * @param push false for a fetched status, whose quote causes no notification
 */
export const changeQuote = async (
  ctx: Context,
  tx: Tx,
  row: QuoteRow,
  status: End,
  quoted: End,
  next: { state: StoredState; stamp: string | null },
  push = true,
): Promise<boolean> => {
  if (row.state === next.state && row.stamp_uri === next.stamp && row.quoted_id === quoted.id) return false
  await updateQuote(
    tx,
    row.status_id,
    {
      quoted_id: quoted.id,
      quoted_author_id: quoted.author_id,
      // If the quoting status named the quoted one by another address than its ActivityPub id, the quote keeps that
      // address, to compare it with a later version.
      quoted_uri: row.quoted_uri === quoted.uri ? null : row.quoted_uri,
      state: next.state,
      stamp_uri: next.stamp,
    },
    ctx.clock.date(),
  )
  const before = row.state === 'accepted'
  const after = next.state === 'accepted'
  if (before !== after) {
    // Approval changes lock the row of the quote, and count and announce the quote when they release the status.
    const held = await isHeld(tx, status.id)
    if (!held) await addTo(tx, 'quotes', quoted.id, after ? 1 : -1)
    await setUnannounced(tx, status.id, after && held && push)
    if (after) await ctx.announce(tx, quoteAccepted, { ...quoteEvent(row.id, status, quoted), push: push && !held })
  }
  if (next.state === 'revoked' && quoted.local)
    await ctx.announce(tx, quoteRevoked, { ...quoteEvent(row.id, status, quoted), stamp: row.stamp_uri })
  if (before !== after || row.state !== next.state) await refreshed(ctx, tx, status)
  return true
}
