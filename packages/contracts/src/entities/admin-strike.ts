/** Texts of warnings that staff has prepared, and strikes with their appeals as staff sees them. */
import { z } from 'zod'
import { Id, Timestamp } from './primitive.js'

export const AdminWarningPreset = z
  .strictObject({ id: Id, title: z.string(), text: z.string(), created_at: Timestamp, updated_at: Timestamp })
  .meta({ id: 'AdminWarningPreset', description: 'A text that staff has prepared for warnings.' })
export type AdminWarningPreset = z.infer<typeof AdminWarningPreset>
