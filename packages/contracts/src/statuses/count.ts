/** Counters of statuses, checked by operators. */
import { internal, operation } from '../kit/index.js'
import { Recounted, RecountInput } from '../kit/recount.js'

export const recountStatuses = operation('statuses.count.recount', {
  viewer: internal(),
  class: 'write',
  input: RecountInput,
  output: Recounted,
  about: 'Compares a page of counters with the replies, boosts, favourites and quotes they count.',
})
