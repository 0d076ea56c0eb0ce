/** All settings with their values. */
import { settingGet } from '@murmuration/contracts/admin'
import { settingsOf } from '../../domain/setting.js'
import { handle } from '../../doors.js'
import { settingRows } from '../../store/setting.js'

export const get = handle(settingGet, async (ctx) => ({ settings: settingsOf(await settingRows(ctx.db)) }))
