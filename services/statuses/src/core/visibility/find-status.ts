/**
 * Loads the status of a request and checks whether the viewer may see it. A hidden status and a missing one give the
 * same response, after the same statements and requests, so that timing does not distinguish them.
 */
import type { AccountRelationship } from '@murmuration/contracts/accounts'
import { type Failure, notFound } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import { loadMissingAuthors } from '../render/hydrate.js'
import { type LoadedStatus, loadStatuses } from '../viewer/loaded-status.store.js'
import { relationshipsOf } from '../viewer/relationships.js'
import { isVisible } from './shown.js'

/** An id that no row has. `NO_ID` replaces the status or author that a lookup did not find. */
export const NO_ID = '0'

/** Error with the text that clients know for everything below `/statuses/:id`. */
export const noStatus = (): Failure => notFound('Not Found')

export interface Found {
  status: LoadedStatus
  /** The original of a boost, otherwise the status itself. */
  original: LoadedStatus
  /** Relationship of the viewer to the author of `original`. */
  relationship: AccountRelationship | undefined
  visible: boolean
}

/**
 * Ids of the authors of these statuses for `relationshipsOf`. A missing status counts as one by `NO_ID`, so that the same
 * request is sent for it.
 */
export const authorsOf = (statuses: readonly (Pick<LoadedStatus, 'author_id'> | undefined)[]): string[] =>
  statuses.map((status) => status?.author_id ?? NO_ID)

/** A status with its visibility for a viewer; null if it does not exist. */
export const findStatus = async (ctx: Context, viewerId: string | null, id: string): Promise<Found | null> => {
  const statuses = await loadStatuses(ctx.db, viewerId, [id])
  const status = statuses.get(id)
  const original = status?.reblog_of_id ? statuses.get(status.reblog_of_id) : status
  const relationships = await relationshipsOf(ctx, viewerId, authorsOf([status, original]))
  if (!status || !original) return null
  const access = { viewerId, relationships }
  return {
    status,
    original,
    relationship: relationships.get(original.author_id),
    visible: isVisible(access, status) && isVisible(access, original),
  }
}

/** A status that the viewer may see. Throws if the status is missing or hidden. */
export const visibleStatus = async (ctx: Context, viewerId: string | null, id: string): Promise<Found> => {
  const found = await findStatus(ctx, viewerId, id)
  if (!found?.visible) throw noStatus()
  return found
}

/** The statuses that exist and that the viewer may see, and the originals that they boost. */
export const visibleStatuses = async (
  ctx: Context,
  viewerId: string | null,
  ids: readonly string[],
): Promise<{ statuses: Map<string, LoadedStatus>; relationships: ReadonlyMap<string, AccountRelationship> }> => {
  const statuses = await loadStatuses(ctx.db, viewerId, ids)
  await loadMissingAuthors(ctx, statuses)
  const found = ids.map((id) => statuses.get(id))
  const relationships = await relationshipsOf(ctx, viewerId, authorsOf([...found, ...statuses.values()]))
  const access = { viewerId, relationships }
  const isSeen = (status: LoadedStatus | undefined) => status !== undefined && isVisible(access, status)
  const visible = new Map<string, LoadedStatus>()
  for (const status of found) {
    if (!status || !isSeen(status)) continue
    const original = status.reblog_of_id === null ? undefined : statuses.get(status.reblog_of_id)
    if (status.reblog_of_id !== null && !isSeen(original)) continue
    visible.set(status.id, status)
    if (original) visible.set(original.id, original)
  }
  return { statuses: visible, relationships }
}

/** Ids of the statuses that exist and that the viewer may see. */
export const visibleAmong = async (ctx: Context, viewerId: string, ids: readonly string[]): Promise<Set<string>> =>
  new Set(ids.length === 0 ? [] : (await visibleStatuses(ctx, viewerId, ids)).statuses.keys())
