/** Changes settings in one transaction. Resolves after the changed policy is published. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { errorText, fieldProblem, invalidField, isId, type Viewer } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { record } from '../core/audit-log/record.js'
import { changePolicy } from '../core/change-policy.js'
import { isPublished, settingValues } from './rules.js'
import { lockSettings, putSettings } from './store.js'

/** Id of the contact account that an account id or a local handle names. */
const contactId = async (ctx: Context, given: unknown): Promise<unknown> => {
  if (given === null || given === undefined) return null
  const typed = String(given).replace(/^@/, '')
  const { records } = await ctx.call(
    accountRecords,
    isId(typed) ? { ids: [typed] } : { handles: [typed.toLowerCase()] },
  )
  const person = records.find((one) => one.domain === null)
  if (!person) throw invalidField(fieldProblem('site_contact_account', errorText('is not an account of this server')))
  return person.id
}

/** Changes settings. Returns the stored values. */
export const changeSettings = async (
  ctx: Context,
  by: Pick<Viewer, 'id'> | null,
  given: Readonly<Record<string, unknown>>,
): Promise<ReadonlyMap<string, unknown>> => {
  const values = settingValues(given)
  if (values.has('site_contact_account'))
    values.set('site_contact_account', await contactId(ctx, values.get('site_contact_account')))
  const names = [...values.keys()]
  const store = async (tx: Tx) => {
    const before = new Map((await lockSettings(tx, names)).map((row) => [row.name, row.value]))
    await putSettings(tx, values, ctx.clock.date())
    await record(
      ctx,
      tx,
      by,
      ...[...values].map(([name, after]) => ({
        action: 'update_setting' as const,
        targetId: name,
        target: name,
        before: before.get(name),
        after,
      })),
    )
  }
  await (names.some(isPublished) ? changePolicy(ctx, store) : ctx.db.tx(store))
  return values
}
