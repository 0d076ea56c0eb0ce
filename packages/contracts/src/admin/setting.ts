/** Operations with which staff and operators change settings at run time. */
import { z } from 'zod'
import { get, operation, put } from '../kit/index.js'
import { ServerSettings } from './policy.js'
import { STAFF_PREFIX, staffReads, staffWrites } from './staff.js'

export const getSettings = operation('admin.setting.get', {
  http: get(`${STAFF_PREFIX}/settings`),
  viewer: staffReads('manage_settings'),
  class: 'admin',
  input: z.object({}),
  output: z.object({ settings: ServerSettings }),
  about: 'All settings with their values.',
})

/** Value of a setting, or the text that staff entered for it, such as `"true"` or `"16"`. The admin service parses the text. */
const Value = z
  .unknown()
  .refine((value) => !(JSON.stringify(value) ?? '').includes('\\u0000'), 'contains a null character')

export const setSetting = operation('admin.setting.set', {
  http: put(`${STAFF_PREFIX}/settings/:name`),
  viewer: staffWrites('manage_settings'),
  class: 'admin',
  input: z.object({
    name: z.string().max(100),
    value: Value,
  }),
  output: z.object({ name: z.string(), value: z.unknown() }),
  errors: ['unprocessable'],
  about: 'Changes one setting. Every service has the new value within seconds.',
})

export const setSettings = operation('admin.setting.set-many', {
  http: put(`${STAFF_PREFIX}/settings`),
  viewer: staffWrites('manage_settings'),
  class: 'admin',
  input: z.object({ settings: z.record(z.string().max(100), Value) }),
  output: z.object({ settings: ServerSettings }),
  errors: ['unprocessable'],
  about: 'Changes several settings together, or none if one is invalid.',
})
