/** The shape that each noun of bulk actions has. */
import type { AnyOperation } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import type { Judgement, Order } from './rules.js'

export interface Item {
  id: string
  /** True if another service was asked to change it before. */
  begun: boolean
}

export interface BulkKind {
  /** A bulk action needs the permission that this operation needs. */
  readonly needs: AnyOperation
  /** Items that are changed at a time. */
  readonly chunk: number
  /** Judges items, and writes nothing. */
  judge(ctx: Context, order: Order, ids: readonly string[]): Promise<Judgement>
  /**
   * Reads what the change of some items needs, outside of the transaction, and is safe to repeat. The function that it
   * returns makes the change in the transaction of the task.
   */
  prepare(ctx: Context, order: Order, items: readonly Item[]): Promise<(tx: Tx) => Promise<Judgement>>
}
