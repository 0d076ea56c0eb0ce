/** Handlers of warning presets: read by staff who act on accounts, written with `manage_settings`. */
import {
  createWarningPreset,
  listWarningPresets,
  removeWarningPreset,
  showWarningPreset,
  updateWarningPreset,
} from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { record } from '../core/audit-log/record.js'
import { rowPage } from '../core/row-page.js'
import { staffTextOf } from '../core/staff-text.rules.js'
import { handle } from '../handlers.js'
import { titleOf } from './rules.js'
import {
  deleteWarningPreset,
  insertWarningPreset,
  lockWarningPreset,
  storeWarningPreset,
  type WarningPresetRow,
  warningPresetById,
  warningPresetPage,
} from './store.js'
import { warningPresetOf } from './view.js'

/** The part of a warning preset that audit log entries contain. */
const logged = ({ title, text, created_at }: WarningPresetRow) => ({ title, text, created_at })
const nameOf = ({ title, text }: WarningPresetRow): string => title || [...text].slice(0, 100).join('')

export const list = handle(listWarningPresets, async (ctx, _viewer, page) =>
  rowPage(listWarningPresets.output, await warningPresetPage(ctx.db, page), warningPresetOf, page),
)

export const show = handle(showWarningPreset, async (ctx, _viewer, { id }) => {
  const row = await warningPresetById(ctx.db, id)
  if (!row) throw notFound()
  return warningPresetOf(row)
})

export const create = handle(createWarningPreset, async (ctx, viewer, { title = '', text = '' }) => {
  const at = ctx.clock.date()
  const row = {
    id: ctx.ids.next(),
    title: titleOf(title),
    text: staffTextOf(text),
    created_at: at,
    updated_at: at,
  }
  await ctx.db.tx(async (tx) => {
    await insertWarningPreset(tx, row)
    await record(ctx, tx, viewer, {
      action: 'create_warning_preset',
      targetId: row.id,
      target: nameOf(row),
      after: logged(row),
    })
  })
  return warningPresetOf(row)
})

export const update = handle(updateWarningPreset, (ctx, viewer, { id, title, text }) =>
  ctx.db.tx(async (tx) => {
    const before = await lockWarningPreset(tx, id)
    if (!before) throw notFound()
    const after = {
      ...before,
      ...(title === undefined ? {} : { title: titleOf(title) }),
      ...(text === undefined ? {} : { text: staffTextOf(text) }),
      updated_at: ctx.clock.date(),
    }
    await storeWarningPreset(tx, after)
    await record(ctx, tx, viewer, {
      action: 'update_warning_preset',
      targetId: id,
      target: nameOf(after),
      before: logged(before),
      after: logged(after),
    })
    return warningPresetOf(after)
  }),
)

export const remove = handle(removeWarningPreset, (ctx, viewer, { id }) =>
  ctx.db.tx(async (tx) => {
    const row = await deleteWarningPreset(tx, id)
    if (!row) throw notFound()
    await record(ctx, tx, viewer, {
      action: 'destroy_warning_preset',
      targetId: id,
      target: nameOf(row),
      before: logged(row),
    })
    return {}
  }),
)
