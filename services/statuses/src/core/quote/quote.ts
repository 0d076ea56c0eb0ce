/** A quote from its beginning to its end, in the caller’s transaction: stored, approved, refused, revoked; counted while it is shown and its status waits for no approval. */
import { fanOut, quoteAccepted, quoteRequested, quoteRevoked, statusRefreshed } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../../context.js'
import { quoteAuthorizationUri } from '../address/rules.js'
import { isHeld } from '../reply/held.store.js'
import { addTo } from '../status/count.store.js'
import { holdAlive } from '../status/store.js'
import { insertAuthorization } from './authorization.store.js'
import { quotedMissing, type StoredState } from './rules.js'
import { insertQuote, type QuoteRow, updateQuote } from './store.js'

/** A status as the other end of a quote knows it. */
export interface End {
  id: string
  uri: string
  author_id: string
  local: boolean
  /** Set while it waits for approval itself: then nobody is told of its quote. */
  held?: object | null
}

/** Quote of a new status. */
export interface Quoting {
  /** Null when it is not here. */
  quoted: End | null
  /** Where it is, when it is not here but may come. */
  uri: string | null
  state: StoredState
  legacy: boolean
  /** The approval, proved when the state is accepted. */
  stamp: string | null
  /** The older form of a quote asks for no approval: the policy of the quoted status gives one when this is set. */
  allowed?: boolean
}

const told = (id: string, status: End, quoted: End) => ({
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

/** The approval that goes with a quote between people here, so that other servers believe it too. */
const ownStamp = async (ctx: Context, tx: Tx, status: End, quoted: End): Promise<string | null> => {
  const given = await insertAuthorization(tx, {
    id: ctx.ids.next(),
    quoted_id: quoted.id,
    quoted_author_id: quoted.author_id,
    quoting_uri: status.uri,
    quoting_author_id: status.author_id,
  })
  return given && quoteAuthorizationUri(quoted.uri, given.id)
}

/** Stores what a new status quotes. */
export const storeQuote = async (
  ctx: Context,
  tx: Tx,
  status: End & { push: boolean },
  { quoted, uri, state, legacy, stamp }: Quoting,
): Promise<void> => {
  if (quoted && status.local && !(await holdAlive(tx, quoted.id))) throw quotedMissing()
  const isShown = quoted !== null && state === 'accepted'
  const approval = isShown && status.local && quoted.local ? await ownStamp(ctx, tx, status, quoted) : stamp
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
    if (!(await isHeld(tx, status.id))) await addTo(tx, 'quotes', quoted.id, 1)
    await ctx.announce(tx, quoteAccepted, { ...told(id, status, quoted), push: status.push })
  } else if (quoted && status.local && state === 'pending')
    await ctx.announce(tx, quoteRequested, told(id, status, quoted))
}

/** Tells open connections and other servers that a status looks different, though it says the same. */
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
 * Changes how a quote stands; false when it stood so already. The caller holds its row.
 * @param push false for quotes that nobody is to be told of, because the status was fetched
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
      quoted_uri: null,
      state: next.state,
      stamp_uri: next.stamp,
    },
    ctx.clock.date(),
  )
  const before = row.state === 'accepted'
  const after = next.state === 'accepted'
  // Approval changes lock the status row and count its quotes, so a held status is not counted here.
  if (before !== after && !(await isHeld(tx, status.id))) await addTo(tx, 'quotes', quoted.id, after ? 1 : -1)
  if (after && !before)
    await ctx.announce(tx, quoteAccepted, { ...told(row.id, status, quoted), push: push && !status.held })
  if (next.state === 'revoked' && quoted.local)
    await ctx.announce(tx, quoteRevoked, { ...told(row.id, status, quoted), stamp: row.stamp_uri })
  if (before !== after || row.state !== next.state) await refreshed(ctx, tx, status)
  return true
}
