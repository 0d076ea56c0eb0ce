/** Handlers of translations. */
import { fail, notFound } from '@murmuration/contracts/kit'
import { translateStatus, translationLanguages } from '@murmuration/contracts/statuses'
import { rowOf } from '../core/status/store.js'
import { noStatus, visibleStatus } from '../core/visibility/find-status.js'
import { handle } from '../handlers.js'
import { pairFor } from './rules.js'
import { pairsOf, translationOf } from './translate.js'

/**
 * Translates a public or unlisted status into the viewer's language (S-023). 404 without a translator, 403 if the
 * language pair is not offered.
 */
export const make = handle(translateStatus, async (ctx, viewer, { id, lang }, request) => {
  const { original } = await visibleStatus(ctx, viewer.id, id)
  const { translator } = ctx
  if (translator === null) throw notFound('Not Found')
  const refused = () => fail('forbidden', 'This action is not allowed')
  if (original.visibility > 1) throw refused()
  const target = lang ?? (request.locale || ctx.policy.settings().languages[0]) ?? 'en'
  const pair = pairFor(await pairsOf(ctx, translator), original.language, target)
  if (pair === null) throw refused()
  const row = await rowOf(ctx.db, original.id)
  if (!row) throw noStatus()
  return translationOf(ctx, translator, row, pair)
})

/** Target languages by source language. Without a translator, the result is empty. */
export const languages = handle(translationLanguages, async (ctx) => {
  const pairs = ctx.translator === null ? {} : await pairsOf(ctx, ctx.translator)
  return Object.fromEntries(Object.entries(pairs).map(([source, targets]) => [source, [...targets]]))
})
