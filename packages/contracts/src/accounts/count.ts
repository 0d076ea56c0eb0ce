/** Counters of accounts, checked by operators. */
import { internal, operation } from '../kit/index.js'
import { Recounted, RecountInput } from '../kit/recount.js'

export const recountAccounts = operation('accounts.count.recount', {
  viewer: internal(),
  class: 'write',
  input: RecountInput,
  output: Recounted,
  about: 'Compares a page of counters with the follows they count.',
})
