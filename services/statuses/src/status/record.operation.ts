/** Handlers that return data of statuses to other services. */
import {
  localBoosts,
  outboxPage,
  ownStatusIds,
  renderByIds,
  statusesForReport,
  statusRecords,
  statusSources,
} from '@murmuration/contracts/statuses'
import { idsByAddress } from '../core/address/find.js'
import { localBoostsOf } from '../core/reblog/store.js'
import { showStatuses } from '../core/render/show-status.js'
import { idsOfAuthor } from '../core/status/author-page.store.js'
import { idsByUri, rowsOf } from '../core/status/store.js'
import { loadStatuses } from '../core/viewer/loaded-status.store.js'
import { relationshipsOf } from '../core/viewer/relationships.js'
import { isVisible } from '../core/visibility/shown.js'
import { handle } from '../handlers.js'
import { outboxIds, outboxTotal } from '../timeline/index.js'
import { recordOf, sourcesOf } from './record.js'

/** Records of statuses by id or uri, including deleted ones. */
export const records = handle(statusRecords, async (ctx, _viewer, { ids = [], uris = [], pages = false }) => {
  const byUri = await (pages ? idsByAddress(ctx, ctx.db, uris) : idsByUri(ctx.db, uris))
  const rows = await rowsOf(ctx.db, [...new Set([...ids, ...byUri.values()])])
  const named = [...byUri].filter(([uri, id]) => rows.has(id) && rows.get(id)?.uri !== uri)
  return { records: [...rows.values()].map(recordOf), ...(named.length > 0 && { named: Object.fromEntries(named) }) }
})

/** Boosts of a status by local accounts, newest first. */
export const localBoostRecords = handle(localBoosts, async (ctx, _viewer, { status, limit, author }) => {
  const ids = await localBoostsOf(ctx.db, status, { limit, author })
  const rows = await rowsOf(ctx.db, ids)
  return { boosts: ids.flatMap((id) => rows.get(id) ?? []).map(recordOf) }
})

/** Data of statuses from which federation renders Note documents. */
export const sources = handle(statusSources, async (ctx, _viewer, { ids }) => ({
  sources: await sourcesOf(ctx, [...(await rowsOf(ctx.db, ids)).values()]),
}))

/** Ids of the given statuses that the author wrote, that are no boosts, and that the viewer may see (A060). */
export const forReport = handle(statusesForReport, async (ctx, _viewer, { viewer, author, ids }) => {
  const [statuses, relationships] = await Promise.all([
    loadStatuses(ctx.db, viewer, ids),
    relationshipsOf(ctx, viewer, [author]),
  ])
  const access = { viewerId: viewer, relationships }
  return {
    ids: ids.filter((id) => {
      const status = statuses.get(id)
      return status?.author_id === author && status.reblog_of_id === null && isVisible(access, status)
    }),
  }
})

/** Ids of an author's public and unlisted statuses and boosts, newest first, for the outbox (A045). */
export const outbox = handle(outboxPage, async (ctx, _viewer, { author, counted = true, ...page }) => {
  const [ids, total] = await Promise.all([outboxIds(ctx.db, author, page), counted ? outboxTotal(ctx.db, author) : 0])
  return { ids, total }
})

/** Status JSON by id for a viewer, for other services. */
export const byIds = handle(renderByIds, (ctx, _viewer, { viewer, ids, place }) =>
  showStatuses(ctx, viewer, [...new Set(ids)], place),
)

/** Ids of all statuses and boosts of an author, oldest first. */
export const ownIds = handle(ownStatusIds, async (ctx, _viewer, { author, after, limit }) => ({
  ids: await idsOfAuthor(ctx.db, author, { after: after ?? '0', limit }),
}))
