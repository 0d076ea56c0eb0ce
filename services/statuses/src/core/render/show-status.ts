/** Status JSON by id, in three steps: load the data, apply the visibility rules, join the JSON. */
import type { Status } from '@murmuration/contracts/entities'
import type { Json } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import { noStatus, visibleStatuses } from '../visibility/find-status.js'
import type { Place } from '../visibility/place.rules.js'
import { isShown, isWhole } from '../visibility/shown.js'
import { hydrate } from './hydrate.js'
import { statusText } from './present.js'
import type { State } from './state.js'

/** JSON of these statuses, in order. Statuses that the viewer may not see are omitted. */
export const presentAll = (state: State, ids: readonly string[]): Json<Status>[] =>
  ids.filter((id) => isShown(state, id)).map((id) => statusText(state, id))

/** Status JSON by id for a viewer; null means anonymous. Statuses that the viewer may not see are missing. */
export const showStatuses = async (
  ctx: Context,
  viewerId: string | null,
  ids: readonly string[],
  place: Place,
): Promise<Map<string, Json<Status>>> => {
  const state = await hydrate(ctx, viewerId, ids, place)
  return new Map(ids.filter((id) => isShown(state, id)).map((id) => [id, statusText(state, id)]))
}

/**
 * Status JSON for ids that the viewer passed. Visibility is decided before anything else is loaded. A hidden status
 * therefore causes the same statements and requests as a missing one.
 */
export const showNamed = async (
  ctx: Context,
  viewerId: string | null,
  ids: readonly string[],
): Promise<Map<string, Json<Status>>> => {
  if (ids.length === 0) return new Map()
  const given = await visibleStatuses(ctx, viewerId, ids)
  const seen = ids.filter((id) => given.statuses.has(id))
  if (seen.length === 0) return new Map()
  const state = await hydrate(ctx, viewerId, seen, 'single', given)
  return new Map(seen.filter((id) => isShown(state, id)).map((id) => [id, statusText(state, id)]))
}

/** Status JSON for an id that the viewer passed. Throws if the status is missing or hidden. */
export const showNamedStatus = async (ctx: Context, viewerId: string | null, id: string): Promise<Json<Status>> => {
  const text = (await showNamed(ctx, viewerId, [id])).get(id)
  if (text === undefined) throw noStatus()
  return text
}

/** Status JSON for an id that the viewer may see. Throws if the status is missing or hidden. */
export const showStatus = async (ctx: Context, viewerId: string | null, id: string): Promise<Json<Status>> => {
  const text = (await showStatuses(ctx, viewerId, [id], 'single')).get(id)
  if (text === undefined) throw noStatus()
  return text
}

/**
 * Status JSON after the viewer removed their favourite, boost or bookmark. The status is shown although the viewer may
 * no longer see it (S-108). For no other purpose.
 */
export const showAfterUndo = async (ctx: Context, viewerId: string, id: string): Promise<Json<Status>> => {
  const state = await hydrate(ctx, viewerId, [id], 'single')
  const status = state.statuses.get(id)
  const ids = status?.reblog_of_id ? [id, status.reblog_of_id] : [id]
  if (!ids.every((one) => isWhole(state, one))) throw noStatus()
  return statusText(state, id)
}
