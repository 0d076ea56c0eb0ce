/** Defaults of the viewer. */
import { preferenceShow } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { languageOf, privacyOf } from '../../domain/preference.js'
import { handle } from '../../doors.js'
import { preferencesOf } from '../../store/preference.js'

export const showPreferences = handle(preferenceShow, async (ctx, viewer) => {
  const row = await preferencesOf(ctx.db, viewer.id)
  if (!row) throw notFound()
  return {
    'posting:default:visibility': privacyOf(row),
    'posting:default:sensitive': row.default_sensitive,
    'posting:default:language': languageOf(row, ctx.policy.settings().languages),
    'posting:default:quote_policy': row.default_quote_policy,
    'reading:expand:media': row.expand_media,
    'reading:expand:spoilers': row.expand_spoilers,
    'reading:autoplay:gifs': row.autoplay_gifs,
  }
})
