/** Renders a page of account cards from rows with a cursor. The Link header gets the first and the last cursor. */
import type { Account } from '@murmuration/contracts'
import { type Json, jsonArray, type PageOutput, pageReply, type Reply } from '@murmuration/contracts/kit'
import { type Cursor, endsOf, newestFirst } from '@murmuration/db'
import type { Context } from '../../context.js'
import type { AccountOfPage } from '../follow/page.store.js'
import { cardsInOrder, cardsOf } from './cards.js'

/**
 * Returns a page of account cards, newest row first. `dress` adds fields to a card that only the calling list shows.
 * Rows without a card are left out.
 */
export const accountPage = async <T extends Account, R extends AccountOfPage>(
  ctx: Pick<Context, 'db' | 'site'>,
  output: PageOutput,
  page: Cursor,
  rows: readonly R[],
  dress: (card: Json<Account>, row: R) => Json<T> = (card) => card as Json<T>,
): Promise<Reply<T[]>> => {
  const ordered = newestFirst(rows, page)
  const cards = await cardsOf(
    ctx,
    ordered.map((row) => row.account_id),
  )
  const texts = ordered.flatMap((row) => {
    const card = cards.get(row.account_id)
    return card === undefined ? [] : [dress(card, row)]
  })
  return pageReply<T>(
    output,
    texts,
    endsOf(
      ordered.map((row) => row.cursor),
      page,
    ),
  )
}

/** Maximum number of rows of a list that is returned in one response instead of pages. */
export const wholePage = 5_000

/** All cards of a list in one response, without Link header. */
export const allAccounts = async (
  ctx: Pick<Context, 'db' | 'site'>,
  rows: readonly AccountOfPage[],
): Promise<Json<Account[]>> =>
  jsonArray(
    await cardsInOrder(
      ctx,
      rows.map((row) => row.account_id),
    ),
  )
