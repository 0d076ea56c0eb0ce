/** A status by address: ours, one that is known, or one that is fetched from its server now. */
import { accountResolve } from '@murmuration/contracts/accounts'
import { type FetchedNote, fetchObject } from '@murmuration/contracts/federation'
import type { Context } from '../context.js'
import { localStatusId } from '../domain/address.js'
import { idByUrl, idsByUri, rowOf } from '../store/status.js'
import { putRemoteStatus, type Stored } from './remote.js'
import { QUOTE_DEPTH } from './remote-quote.js'

/** Accounts that one fetched status may make us look up. */
const MOST_MENTIONS = 20

const knownId = async (ctx: Context, address: string): Promise<string | null> => {
  const id =
    localStatusId(ctx.site.origin, address) ??
    (await idsByUri(ctx.db, [address])).get(address) ??
    (await idByUrl(ctx.db, address))
  return id && (await rowOf(ctx.db, id)) ? id : null
}

const accountId = async (ctx: Context, uri: string): Promise<string | null> =>
  (await ctx.call(accountResolve, { uri }).catch(() => ({ record: null }))).record?.id ?? null

/** Stores a note that federation read, or what is new about it; null when its author is unknown or it is refused. */
export const keepNote = async (
  ctx: Context,
  note: FetchedNote,
  depth: number,
  quotes: number,
): Promise<Stored | null> => {
  const { authorUri, mentionUris, ...rest } = note
  const [author, mentions] = await Promise.all([
    accountId(ctx, authorUri),
    Promise.all(
      mentionUris.slice(0, MOST_MENTIONS).map(async ({ uri, silent }) => ({ id: await accountId(ctx, uri), silent })),
    ),
  ])
  if (author === null) return null
  const stored = await putRemoteStatus(
    ctx,
    {
      ...rest,
      author,
      push: false,
      mentions: mentions.flatMap((one) => (one.id === null ? [] : [{ id: one.id, silent: one.silent }])),
    },
    depth,
    quotes,
  )
  return stored.outcome === 'refused' ? null : stored
}

/** Parents that one look-up may make us fetch afterwards. */
const DEPTH = 10

/** The id of the status at an address; null when there is none that we may have. */
export const resolveStatus = async (
  ctx: Context,
  address: string,
  depth: number = DEPTH,
  quotes: number = QUOTE_DEPTH,
): Promise<string | null> => {
  const known = await knownId(ctx, address)
  if (known !== null || address.startsWith(`${ctx.site.origin}/`)) return known
  const { note } = await ctx.call(fetchObject, { url: address })
  if (!note) return null
  return (await knownId(ctx, note.uri)) ?? (await keepNote(ctx, note, depth, quotes))?.id ?? null
}
