/** Operation that stores settings of a web client. Only clients interpret these settings. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

/** Maximum size of the settings as JSON, in bytes. */
export const WEB_SETTING_BYTES = 65_536

export const changeWebSetting = operation('accounts.web-setting.change', {
  viewer: internal(),
  class: 'write',
  input: z.object({ account: z.string(), data: z.record(z.string(), z.unknown()) }),
  output: z.object({}),
  errors: ['unprocessable'],
  about: 'Replaces the settings that a web client stores for a user.',
})
