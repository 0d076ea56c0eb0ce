/** Changes the settings that differ, together. */
import { isDeepStrictEqual } from 'node:util'
import { settingSetMany } from '@murmuration/contracts/admin'
import { changeSettings } from '../../changes/change-settings.js'
import { settingsOf, settingValues } from '../../domain/setting.js'
import { handle } from '../../doors.js'
import { settingRows } from '../../store/setting.js'

export const setMany = handle(settingSetMany, async (ctx, viewer, { settings: given }) => {
  const current: Readonly<Record<string, unknown>> = settingsOf(await settingRows(ctx.db))
  const values = settingValues(given)
  const changed = Object.entries(given).filter(([name]) => !isDeepStrictEqual(values.get(name), current[name]))
  if (changed.length > 0) await changeSettings(ctx, viewer, Object.fromEntries(changed))
  return { settings: settingsOf(await settingRows(ctx.db)) }
})
