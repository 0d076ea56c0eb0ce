/** Changes one setting; what every service reads is published before the answer. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { settingSet } from '@murmuration/contracts/admin'
import { invalidField, isId } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { record } from '../../audit-log/index.js'
import { changePolicy } from '../../changes/publish-policy.js'
import type { Context } from '../../context.js'
import { isPublished, settingValue } from '../../domain/setting.js'
import { handle } from '../../doors.js'
import { putSetting, settingRow } from '../../store/setting.js'

/** The contact person is kept by account id; people may type a handle of this server instead. */
const contactId = async (ctx: Context, given: unknown): Promise<unknown> => {
  if (given === null) return null
  const typed = String(given).replace(/^@/, '')
  const { records } = await ctx.call(
    accountRecords,
    isId(typed) ? { ids: [typed] } : { handles: [typed.toLowerCase()] },
  )
  const person = records.find((one) => one.domain === null)
  if (!person) throw invalidField('Site contact account is not an account of this server')
  return person.id
}

export const set = handle(settingSet, async (ctx, viewer, input) => {
  const { name } = input
  const typed = settingValue(name, input.value)
  const value = name === 'site_contact_account' ? await contactId(ctx, typed) : typed
  const store = async (tx: Tx) => {
    const before = await settingRow(tx, name)
    await putSetting(tx, name, value, ctx.clock.date())
    await record(ctx, tx, viewer, {
      action: 'update_setting',
      targetId: name,
      target: name,
      before: before?.value,
      after: value,
    })
  }
  await (isPublished(name) ? changePolicy(ctx, store) : ctx.db.tx(store))
  return { name, value }
})
