/** Pages of rows by id: the JSON of each row, and the first and last id for the Link header. */
import { type Page, type PageOutput, pageReply, type Reply, toJson } from '@murmuration/contracts/kit'
import { endsOf } from '@murmuration/db'

/** Renders a page of the API from database rows, in the order of the rows. */
export const rowPage = <Row extends { id: string }, T>(
  output: PageOutput,
  rows: readonly Row[],
  view: (row: Row) => T,
  page: Page,
): Reply<T[]> =>
  pageReply<T>(
    output,
    rows.map((row) => toJson(view(row))),
    endsOf(
      rows.map((row) => row.id),
      page,
    ),
  )
