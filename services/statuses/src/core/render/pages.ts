/**
 * Renders pages of statuses in four stages: read ids, load data (`hydrate`), apply visibility and filter rules, join
 * the JSON. If the rules leave too few statuses, further rounds follow.
 */
import type { Status } from '@murmuration/contracts/entities'
import { type Json, type PageOutput, pageReply, type Reply } from '@murmuration/contracts/kit'
import { type Cursor, isAscending } from '@murmuration/db'
import type { Context } from '../../context.js'
import type { Place } from '../visibility/place.rules.js'
import type { Rule } from '../visibility/shown.js'
import { hydrate } from './hydrate.js'
import type { State } from './state.js'

/** Maximum number of rounds of reading, loading and filtering for one page. */
const ROUNDS = 3

/** The four stages that make a page of a timeline: read ids, load data, apply rules, join JSON. */
export interface Timeline {
  output: PageOutput
  /** Returns status ids, newest first, at most `limit`. Fewer ids mean that there are no more. */
  skeleton(page: Cursor): Promise<string[]>
  /** Loads everything that the rules and the JSON need, in batches. */
  hydrate(ctx: Context, viewerId: string | null, ids: readonly string[]): Promise<State>
  /** A status is shown if every rule returns true. */
  rules: readonly Rule[]
  /** Returns the JSON of one status, joined from the loaded texts. */
  present(state: State, id: string): Json<Status>
}

/** Returns the stage `hydrate` of a timeline for a place, such as home or list. */
export const statusesAt =
  (place: Place): Timeline['hydrate'] =>
  (ctx, viewerId, ids) =>
    hydrate(ctx, viewerId, ids, place)

/** One page of a timeline, newest first. `full` in the page links is true if `limit` statuses are shown. */
export const timelinePage = async (
  ctx: Context,
  viewerId: string | null,
  page: Cursor,
  stages: Timeline,
): Promise<Reply<Status[]>> => {
  const shown: [string, Json<Status>][] = []
  let cursor = page
  let more = page.limit > 0
  for (let round = 0; round < ROUNDS && more; round++) {
    const ids = await stages.skeleton(cursor)
    const state = await stages.hydrate(ctx, viewerId, ids)
    const found = ids
      .filter((id) => stages.rules.every((rule) => rule(state, id)))
      .map((id): [string, Json<Status>] => [id, stages.present(state, id)])
    if (isAscending(page)) shown.unshift(...found)
    else shown.push(...found)
    more = shown.length < page.limit && ids.length >= page.limit
    cursor = isAscending(page) ? { ...cursor, min_id: ids[0] } : { ...cursor, max_id: ids.at(-1) }
  }
  const kept = isAscending(page) ? shown.slice(-page.limit || undefined) : shown.slice(0, page.limit)
  return pageReply(
    stages.output,
    kept.map(([, text]) => text),
    { first: kept[0]?.[0] ?? null, last: kept.at(-1)?.[0] ?? null, full: kept.length >= page.limit && page.limit > 0 },
  )
}
