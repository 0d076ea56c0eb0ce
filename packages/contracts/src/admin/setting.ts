/** Settings that staff and operators change while the cluster runs. */
import { z } from 'zod'
import { get, operation, put } from '../kit/index.js'
import { InstanceSettings } from './policy.js'
import { STAFF_PREFIX, staffReads, staffWrites } from './staff.js'

export const settingGet = operation('admin.setting.get', {
  http: get(`${STAFF_PREFIX}/settings`),
  viewer: staffReads('manage_settings'),
  class: 'admin',
  input: z.object({}),
  output: z.object({ settings: InstanceSettings }),
  about: 'All settings with their values.',
})

export const settingSet = operation('admin.setting.set', {
  http: put(`${STAFF_PREFIX}/settings/:name`),
  viewer: staffWrites('manage_settings'),
  class: 'admin',
  input: z.object({
    name: z.string().max(100),
    /** A value, or its text as a person types it. */
    value: z
      .unknown()
      .refine((value) => !(JSON.stringify(value) ?? '').includes('\\u0000'), 'contains a null character'),
  }),
  output: z.object({ name: z.string(), value: z.unknown() }),
  errors: ['unprocessable'],
  about: 'Changes one setting; every service has it within a moment.',
})
