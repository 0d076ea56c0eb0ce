/** Translates a public status into the language of the viewer (S-023). */
import { fail, notFound } from '@murmuration/contracts/kit'
import { translateStatus } from '@murmuration/contracts/statuses'
import { pairFor } from '../../domain/translation.js'
import { handle } from '../../doors.js'
import { rowOf } from '../../store/status.js'
import { pairsOf, translationOf } from '../../views/translation.js'
import { noStatus, visibleStatus } from '../../views/visible.js'

export const make = handle(translateStatus, async (ctx, viewer, { id, lang }, request) => {
  const { proper } = await visibleStatus(ctx, viewer.id, id)
  const { translator } = ctx
  if (translator === null) throw notFound('Not Found')
  const refused = () => fail('forbidden', 'This action is not allowed')
  if (proper.visibility > 1) throw refused()
  const target = lang ?? (request.locale || ctx.policy.settings().languages[0]) ?? 'en'
  const pair = pairFor(await pairsOf(ctx, translator), proper.language, target)
  if (pair === null) throw refused()
  const row = await rowOf(ctx.db, proper.id)
  if (!row) throw noStatus()
  return translationOf(ctx, translator, row, pair)
})
