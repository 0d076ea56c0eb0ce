/** A page of accounts from rows that carry a cursor: cards in their order, and the ends for the Link header. */
import type { Account } from '@murmuration/contracts'
import { type Json, jsonArray, type PageOutput, pageReply, type Reply } from '@murmuration/contracts/kit'
import { type Cursor, endsOf, newestFirst } from '@murmuration/db'
import type { Context } from '../context.js'
import { cardsInOrder, cardsOf } from './account-cards.js'
import type { AccountOfPage } from './follow-page.store.js'

/** `dress` may add what only this list shows; a row without a card is left out. */
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

/** Rows of a list that was asked for as a whole, at most. */
export const wholePage = 5_000

/** All cards of a list at once, without links. */
export const everybody = async (
  ctx: Pick<Context, 'db' | 'site'>,
  rows: readonly AccountOfPage[],
): Promise<Json<Account[]>> =>
  jsonArray(
    await cardsInOrder(
      ctx,
      rows.map((row) => row.account_id),
    ),
  )
