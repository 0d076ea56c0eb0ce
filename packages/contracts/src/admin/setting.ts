/** Settings that staff and operators change while the cluster runs. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'
import { InstanceSettings } from './policy.js'

export const settingGet = operation('admin.setting.get', {
  viewer: internal(),
  input: z.object({}),
  output: z.object({ settings: InstanceSettings }),
  about: 'All settings with their values.',
})

export const settingSet = operation('admin.setting.set', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    name: z.string().max(100),
    /** A value, or its text as a person types it. */
    value: z.unknown(),
  }),
  output: z.object({ name: z.string(), value: z.unknown() }),
  errors: ['unprocessable'],
  about: 'Changes one setting; every service has it within a moment.',
})
