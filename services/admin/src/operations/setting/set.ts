/** Changes one setting; what every service reads is published before the answer. */
import { settingSet } from '@murmuration/contracts/admin'
import { changeSettings } from '../../changes/change-settings.js'
import { handle } from '../../doors.js'

export const set = handle(settingSet, async (ctx, viewer, { name, value }) => {
  const values = await changeSettings(ctx, viewer, { [name]: value })
  return { name, value: values.get(name) }
})
