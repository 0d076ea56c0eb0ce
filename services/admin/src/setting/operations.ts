/** Operations on settings: read all, change one or several. */

import { isDeepStrictEqual } from 'node:util'
import { getSettings, setSetting, setSettings } from '@murmuration/contracts/admin'
import { handle } from '../handlers.js'
import { changeSettings } from './change.js'
import { settingsOf, settingValues } from './rules.js'
import { settingRows } from './store.js'

/** Returns all settings with their values. */
export const get = handle(getSettings, async (ctx) => ({ settings: settingsOf(await settingRows(ctx.db)) }))

/** Changes one setting. If the setting is part of the published policy, the policy is published before the response. */
export const set = handle(setSetting, async (ctx, viewer, { name, value }) => {
  const values = await changeSettings(ctx, viewer, { [name]: value })
  return { name, value: values.get(name) }
})

/** Changes those settings whose values differ: all of them, or none if a value is invalid. */
export const setMany = handle(setSettings, async (ctx, viewer, { settings: given }) => {
  const current: Readonly<Record<string, unknown>> = settingsOf(await settingRows(ctx.db))
  const values = settingValues(given)
  const changed = Object.entries(given).filter(([name]) => !isDeepStrictEqual(values.get(name), current[name]))
  if (changed.length > 0) await changeSettings(ctx, viewer, Object.fromEntries(changed))
  return { settings: settingsOf(await settingRows(ctx.db)) }
})
