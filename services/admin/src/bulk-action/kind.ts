/** Interface of the implementations of bulk actions, one for each noun, such as accounts or domain blocks. */
import type { AnyOperation } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import type { Evaluation, Order } from './rules.js'

export interface Item {
  id: string
  /** True if an earlier run may have changed the item in another service. */
  begun: boolean
}

export interface BulkKind {
  /** The bulk action requires the permission of this operation. */
  readonly needs: AnyOperation
  /** Number of items that one step of the bulk action changes. */
  readonly chunk: number
  /** Returns for each item whether the bulk action would change it. Writes nothing. */
  evaluate(ctx: Context, order: Order, ids: readonly string[]): Promise<Evaluation>
  /**
   * Prepares the change of some items, before the transaction of the task. Preparing is safe to repeat. The returned
   * function changes the items within the transaction.
   */
  prepare(ctx: Context, order: Order, items: readonly Item[]): Promise<(tx: Tx) => Promise<Evaluation>>
}
