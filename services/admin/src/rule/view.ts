/** Rules as the API shows them. */
import type { Rule } from '@murmuration/contracts/entities'
import type { RuleRow } from './store.js'

export const ruleOf = (row: RuleRow): Rule => ({
  id: row.id,
  text: row.text,
  hint: row.hint,
  translations: row.translations,
})
