/**
 * A page of statuses that the viewer bookmarked or favourited, sorted and paged by the id of the bookmark or favourite.
 */
import type { Status } from '@murmuration/contracts/entities'
import { type PageOutput, pageReply, type Reply } from '@murmuration/contracts/kit'
import { type Cursor, endsOf, newestFirst } from '@murmuration/db'
import type { Context } from '../../context.js'

import { showStatuses } from './show-status.js'

export interface Marked {
  id: string
  status_id: string
}

/**
 * Renders the page. Statuses that the viewer may no longer see are omitted. The page links contain ids of bookmarks or
 * favourites, including those of omitted statuses.
 */
export const markedPage = async (
  ctx: Context,
  viewerId: string,
  output: PageOutput,
  page: Cursor,
  rows: readonly Marked[],
): Promise<Reply<Status[]>> => {
  const marks = newestFirst(rows, page)
  const texts = await showStatuses(
    ctx,
    viewerId,
    marks.map((mark) => mark.status_id),
    'single',
  )
  return pageReply(
    output,
    marks.flatMap((mark) => texts.get(mark.status_id) ?? []),
    endsOf(
      marks.map((mark) => mark.id),
      page,
    ),
  )
}
