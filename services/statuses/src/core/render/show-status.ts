/** Status JSON by id: hydrate, rules, present. Everything that answers with statuses goes through here. */
import type { Status } from '@murmuration/contracts/entities'
import type { Json } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import { noStatus, visibleFacts } from '../visibility/find-status.js'
import type { Place } from '../visibility/place.rules.js'
import { isShown, isWhole } from '../visibility/shown.js'
import { hydrate } from './hydrate.js'
import { statusText } from './present.js'
import type { State } from './state.js'

/** Statuses with these ids that may be shown, in their order, as texts. */
export const presentAll = (state: State, ids: readonly string[]): Json<Status>[] =>
  ids.filter((id) => isShown(state, id)).map((id) => statusText(state, id))

/** Texts by id for a viewer (null: anonymous); what they may not see is absent. */
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
 * The same for ids that the viewer names. Visibility is decided before anything else is loaded, so that a hidden status takes
 * the same statements and requests as one that does not exist.
 */
export const showNamed = async (
  ctx: Context,
  viewerId: string | null,
  ids: readonly string[],
): Promise<Map<string, Json<Status>>> => {
  if (ids.length === 0) return new Map()
  const given = await visibleFacts(ctx, viewerId, ids)
  const seen = ids.filter((id) => given.facts.has(id))
  if (seen.length === 0) return new Map()
  const state = await hydrate(ctx, viewerId, seen, 'single', given)
  return new Map(seen.filter((id) => isShown(state, id)).map((id) => [id, statusText(state, id)]))
}

/** One status that the viewer names. */
export const showNamedStatus = async (ctx: Context, viewerId: string | null, id: string): Promise<Json<Status>> => {
  const text = (await showNamed(ctx, viewerId, [id])).get(id)
  if (text === undefined) throw noStatus()
  return text
}

/** One status of which the caller knows that the viewer may see it. */
export const showStatus = async (ctx: Context, viewerId: string | null, id: string): Promise<Json<Status>> => {
  const text = (await showStatuses(ctx, viewerId, [id], 'single')).get(id)
  if (text === undefined) throw noStatus()
  return text
}

/**
 * The answer to somebody who just took back a mark of their own: the status is shown to them once more although they may
 * not see it any longer (S-108). Not for anything else.
 */
export const showAfterUndo = async (ctx: Context, viewerId: string, id: string): Promise<Json<Status>> => {
  const state = await hydrate(ctx, viewerId, [id], 'single')
  const fact = state.facts.get(id)
  const ids = fact?.reblog_of_id ? [id, fact.reblog_of_id] : [id]
  if (!ids.every((one) => isWhole(state, one))) throw noStatus()
  return statusText(state, id)
}
