/** The long description of the server. */
import { extendedDescription as extendedDescriptionOperation } from '@murmuration/contracts/admin'
import { settingsOf } from '../../domain/setting.js'
import { handle } from '../../doors.js'
import { settingRow } from '../../store/setting.js'

const NAME = 'site_extended_description'

export const extendedDescription = handle(extendedDescriptionOperation, async (ctx) => {
  const row = await settingRow(ctx.db, NAME)
  const text = row ? settingsOf([row])[NAME] : ''
  if (!row || text === '') return { updated_at: null, content: '' }
  return { updated_at: row.updated_at.toISOString(), content: ctx.markdown.html(text) }
})
