/** Into which languages statuses can be translated; nothing without a translator. */
import { translationLanguages } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { pairsOf } from '../../views/translation.js'

export const languages = handle(translationLanguages, async (ctx) => {
  const pairs = ctx.translator === null ? {} : await pairsOf(ctx, ctx.translator)
  return Object.fromEntries(Object.entries(pairs).map(([source, targets]) => [source, [...targets]]))
})
