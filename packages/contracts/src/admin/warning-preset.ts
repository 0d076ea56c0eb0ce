/** Operations about warning presets: prepared texts for moderation actions. */
import { z } from 'zod'
import { AdminWarningPreset } from '../entities/index.js'
import { del, get, id, operation, post, put, text } from '../kit/index.js'
import { STAFF_PREFIX, staffPage, staffPageOf, staffReads, staffWrites } from './staff.js'

const path = `${STAFF_PREFIX}/warning_presets`
const reads = staffReads(['manage_settings', 'manage_users', 'manage_reports'])
const writes = staffWrites('manage_settings')
const fields = { title: text().optional(), text: text().optional() }

export const listWarningPresets = operation('admin.warning-preset.list', {
  http: get(path),
  viewer: reads,
  class: 'admin',
  input: z.object(staffPage()),
  output: staffPageOf(AdminWarningPreset),
  errors: ['forbidden'],
  about: 'Warning presets, newest first, for roles with `manage_settings`, `manage_users` or `manage_reports`.',
})

export const showWarningPreset = operation('admin.warning-preset.show', {
  http: get(`${path}/:id`),
  viewer: reads,
  class: 'admin',
  input: z.object({ id: id() }),
  output: AdminWarningPreset,
  errors: ['not_found', 'forbidden'],
  about: 'One warning preset, for the same roles.',
})

export const createWarningPreset = operation('admin.warning-preset.create', {
  http: post(path),
  viewer: writes,
  class: 'admin',
  input: z.object(fields),
  output: AdminWarningPreset,
  errors: ['unprocessable'],
  creates: true,
  about: 'Creates a warning preset.',
})

export const updateWarningPreset = operation('admin.warning-preset.update', {
  http: put(`${path}/:id`),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id(), ...fields }),
  output: AdminWarningPreset,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes a warning preset. Absent members stay unchanged.',
})

export const removeWarningPreset = operation('admin.warning-preset.remove', {
  http: del(`${path}/:id`),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Deletes a warning preset. Existing strikes keep their text.',
})
