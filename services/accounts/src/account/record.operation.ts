/** Handlers that read accounts for other services. */
import { accountRecords, localActors, showAuthor } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { recordOf } from '../core/account/record.js'
import {
  authorById,
  type RecordRow,
  recordsByHandles,
  recordsByIds,
  recordsByPages,
  recordsByUris,
} from '../core/account/record.store.js'
import { accountsByHandles, accountsByIds } from '../core/account/store.js'
import { type HandleKey, handleKeyOf } from '../core/address/handle.rules.js'
import { actorOfAddress, handleOfPage, ownerOfPage } from '../core/address/page.rules.js'
import { handle } from '../handlers.js'
import { postingOf } from '../preference/index.js'
import { ensureKeys } from '../signing-key/index.js'
import { actorOf } from './actor.js'

/**
 * Returns local accounts by variants of their actor ids: with a trailing slash, a query or a fragment, or on another host
 * of this server.
 */
const byActors = async (ctx: Context, addresses: readonly string[]): Promise<Map<string, RecordRow>> => {
  const wanted = addresses.flatMap((address) => {
    const uri = actorOfAddress(address, ctx)
    return uri === null ? [] : [{ address, uri }]
  })
  if (wanted.length === 0) return new Map()
  const rows = await recordsByUris(ctx.db, [...new Set(wanted.map(({ uri }) => uri))])
  const byUri = new Map(rows.map((row) => [row.uri, row]))
  return new Map(
    wanted.flatMap(({ address, uri }) => {
      const row = byUri.get(uri)
      return row ? [[address, row] as const] : []
    }),
  )
}

/** Returns accounts by the addresses of their profile pages. */
const byPages = async (ctx: Context, pages: readonly string[]): Promise<Map<string, RecordRow>> => {
  const wanted = pages.map((page) => ({ page, key: handleOfPage(page, ctx) }))
  const [local, remote] = await Promise.all([
    recordsByHandles(
      ctx.db,
      wanted.flatMap(({ key }) => (key?.domain === null ? [key] : [])),
    ),
    recordsByPages(ctx.db, pages),
  ])
  const ownerOf = (page: string, key: HandleKey | null) =>
    key?.domain === null
      ? local.find((row) => row.username.toLowerCase() === key.username)
      : ownerOfPage(remote, page, key)
  return new Map(
    wanted.flatMap(({ page, key }) => {
      const row = ownerOf(page, key)
      return row ? [[page, row] as const] : []
    }),
  )
}

export const accountRecordsOf = handle(
  accountRecords,
  async (ctx, _viewer, { ids = [], uris = [], handles = [], pages = false }) => {
    const keys = handles.map((one) => handleKeyOf(one, ctx.site)).filter((one) => one !== null)
    const found = await Promise.all([
      recordsByIds(ctx.db, ids),
      recordsByUris(ctx.db, uris),
      recordsByHandles(ctx.db, keys),
    ])
    const known = new Set(found[1].map((row) => row.uri))
    const others = pages ? uris.filter((uri) => !known.has(uri)) : []
    const [byPage, byActor] = await Promise.all([byPages(ctx, others), byActors(ctx, others)])
    const paged = new Map([...byPage, ...byActor])
    const byId = new Map([...found.flat(), ...paged.values()].map((row) => [row.id, row]))
    const named = Object.fromEntries([...paged].map(([page, row]) => [page, row.id]))
    return { records: [...byId.values()].map(recordOf), ...(paged.size > 0 && { named }) }
  },
)

/**
 * Returns the author, posting defaults and mentioned accounts of a new status. Because one response contains all three, the statuses
 * service sends one request instead of three.
 */
export const getAuthor = handle(showAuthor, async (ctx, _viewer, { id, handles = [] }) => {
  const keys = handles.map((one) => handleKeyOf(one, ctx.site)).filter((one) => one !== null)
  const [author, named] = await Promise.all([authorById(ctx.db, id), recordsByHandles(ctx.db, keys)])
  if (!author) throw notFound()
  return {
    author: recordOf(author),
    defaults: postingOf(author, ctx.policy.settings().languages),
    named: [...new Map(named.map((row) => [row.id, recordOf(row)])).values()],
    ...(author.disabled && { disabled: true as const }),
  }
})

/** Returns data for actor documents of local accounts, with their public keys. */
export const getActors = handle(localActors, async (ctx, _viewer, { ids = [], usernames = [] }) => {
  const names = usernames.map((name) => ({ username: name.toLowerCase(), domain: null }))
  const found = await Promise.all([accountsByIds(ctx.db, ids), accountsByHandles(ctx.db, names)])
  const rows = [...new Map(found.flat().map((row) => [row.id, row])).values()].filter((row) => row.domain === null)
  const keys = await ensureKeys(
    ctx,
    rows.map((row) => row.id),
  )
  return {
    actors: rows.flatMap((row) => {
      const key = keys.get(row.id)
      return key ? [actorOf(row, ctx.site, key.public_pem)] : []
    }),
  }
})
