/** Undoes actions on rules, announcements, settings and warning presets. */
import {
  orderRules as orderRulesOperation,
  setSetting,
  updateAnnouncement,
  updateRule as updateRuleOperation,
  updateWarningPreset,
} from '@murmuration/contracts/admin'
import { z } from 'zod'
import {
  type AnnouncementRow,
  lockAnnouncement,
  published,
  putAnnouncement,
  removeAnnouncement,
  restoreAnnouncement,
  sendAnnouncements,
  sendRemoval,
} from '../announcement/index.js'
import { lockRule, lockRules, orderRules, type RuleRow, removeRule, restoreRule, updateRule } from '../rule/index.js'
import { deleteSetting, isPublished, lockSettings, putSettings } from '../setting/index.js'
import {
  deleteWarningPreset,
  insertWarningPreset,
  lockWarningPreset,
  storeWarningPreset,
} from '../warning-preset/index.js'
import { recordedDate, rowReversal, undoObstacle } from './row.js'

const Rule = z.object({
  text: z.string(),
  hint: z.string(),
  translations: z.record(z.string(), z.object({ text: z.string(), hint: z.string() })),
  priority: z.int(),
})

export const rules = rowReversal<RuleRow, z.output<typeof Rule>>({
  needs: updateRuleOperation,
  recorded: Rule,
  passing: ['priority'],
  lock: lockRule,
  async store(ctx, tx, { id, row, to }) {
    if (to === null) await removeRule(tx, id, ctx.clock.date())
    else if (row) await updateRule(tx, { id, ...to })
    else if (!(await restoreRule(tx, { id, ...to }))) throw undoObstacle('is_deleted')
  },
})

const Order = z.object({ ids: z.array(z.string()) })

/** Reversal of a changed order of server rules. The order is treated as one row with the ids of all rules. */
export const ruleOrders = rowReversal<z.output<typeof Order>, z.output<typeof Order>>({
  needs: orderRulesOperation,
  recorded: z.preprocess((given) => (Array.isArray(given) ? { ids: given } : given), Order),
  recordOf: (state) => state?.ids ?? null,
  lock: async (tx) => ({ ids: (await lockRules(tx)).map(({ id }) => id) }),
  store: async (_ctx, tx, { to }) => void (to && (await orderRules(tx, to.ids))),
})

const date = recordedDate().nullable()
const StoredAnnouncement = z.object({
  text: z.string(),
  starts_at: date,
  ends_at: date,
  all_day: z.boolean(),
  scheduled_at: date,
  published_at: date,
})

export const announcements = rowReversal<AnnouncementRow, z.output<typeof StoredAnnouncement>>({
  needs: updateAnnouncement,
  recorded: StoredAnnouncement,
  passing: ['scheduled_at', 'published_at'],
  lock: lockAnnouncement,
  async store(ctx, tx, { id, row, to }) {
    if (to === null) return void (await removeAnnouncement(tx, id, ctx.clock.date()))
    const stored = row ?? (await restoreAnnouncement(tx, id))
    if (!stored) throw undoObstacle('is_deleted')
    await putAnnouncement(tx, { ...stored, ...to, updated_at: ctx.clock.date() })
  },
  async committed(ctx, { id, row }) {
    const now = await published(ctx.db, id)
    if (now) await sendAnnouncements(ctx, [now])
    else if (row?.published_at) sendRemoval(ctx, id)
  },
})

const Setting = z.object({ value: z.unknown() })

/**
 * Reversal of changed settings. Audit log entries contain only the value. A setting with its default value has no row.
 */
export const settings = rowReversal<z.output<typeof Setting>, z.output<typeof Setting>>({
  needs: setSetting,
  recorded: Setting,
  isPublished,
  recordedOf: (value) => (value === null || value === undefined ? null : { value }),
  recordOf: (state) => state?.value ?? null,
  async lock(tx, name) {
    const [row] = await lockSettings(tx, [name])
    return row === undefined || row.value === null ? null : { value: row.value }
  },
  async store(ctx, tx, { id, to }) {
    if (to === null) await deleteSetting(tx, id)
    else await putSettings(tx, new Map([[id, to.value]]), ctx.clock.date())
  },
})

const Preset = z.object({ title: z.string(), text: z.string(), created_at: recordedDate().optional() })

export const warningPresets = rowReversal<Preset, Preset>({
  needs: updateWarningPreset,
  recorded: Preset,
  lock: lockWarningPreset,
  async store(ctx, tx, { id, row, to }) {
    const at = ctx.clock.date()
    if (to === null) return void (await deleteWarningPreset(tx, id))
    const stored = { id, created_at: at, ...to, updated_at: at }
    await (row ? storeWarningPreset(tx, stored) : insertWarningPreset(tx, stored))
  },
})
type Preset = { title: string; text: string; created_at?: Date | undefined }
