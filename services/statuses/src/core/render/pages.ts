/** Pages of statuses: skeleton, hydrate, rules, present, and a few more rounds when the rules left too little. */
import type { Status } from '@murmuration/contracts/entities'
import { type Json, type PageOutput, pageReply, type Reply } from '@murmuration/contracts/kit'
import { type Cursor, goesUp } from '@murmuration/db'
import type { Context } from '../../context.js'
import type { Place } from '../visibility/place.rules.js'
import { showStatuses } from './show-status.js'

/** Rounds of looking for more when statuses of a page may not be shown. */
const ROUNDS = 3

export interface PageOf {
  output: PageOutput
  place: Place
  page: Cursor
  /** Ids newest first, `limit` at most; fewer means that there are no more. */
  skeleton(page: Cursor): Promise<string[]>
}

/** One page of a timeline, newest first. `full` for the links means that as many were shown as asked for. */
export const timelinePage = async (ctx: Context, viewerId: string | null, of: PageOf): Promise<Reply<Status[]>> => {
  const { page } = of
  const shown: [string, Json<Status>][] = []
  let cursor = page
  let more = page.limit > 0
  for (let round = 0; round < ROUNDS && more; round++) {
    const ids = await of.skeleton(cursor)
    const texts = await showStatuses(ctx, viewerId, ids, of.place)
    const found = ids.flatMap((id): [string, Json<Status>][] => {
      const text = texts.get(id)
      return text === undefined ? [] : [[id, text]]
    })
    if (goesUp(page)) shown.unshift(...found)
    else shown.push(...found)
    more = shown.length < page.limit && ids.length >= page.limit
    cursor = goesUp(page) ? { ...cursor, min_id: ids[0] } : { ...cursor, max_id: ids.at(-1) }
  }
  const kept = goesUp(page) ? shown.slice(-page.limit || undefined) : shown.slice(0, page.limit)
  return pageReply(
    of.output,
    kept.map(([, text]) => text),
    { first: kept[0]?.[0] ?? null, last: kept.at(-1)?.[0] ?? null, full: kept.length >= page.limit && page.limit > 0 },
  )
}
