/** Warning presets: managed by staff, used by actions on accounts, and readable by roles that act on accounts. */
import {
  actOnAccount,
  createWarningPreset,
  listAuditLog,
  listWarningPresets,
  removeWarningPreset,
  showWarningPreset,
  updateWarningPreset,
} from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { as } from './fixtures.js'
import { expectGolden } from './golden.js'
import { type Harness, startHarness, who } from './harness.js'

let harness: Harness
let call: Harness['cluster']['call']
let ada: Viewer
let mona: Viewer
beforeAll(async () => {
  harness = await startHarness()
  call = harness.cluster.call
  ada = as(who(harness, '12'))
  mona = as(who(harness, '11'))
})
afterAll(() => harness.cluster.stop())
beforeEach(async () => {
  await harness.cluster.db('admin').run(sql`with p as (delete from warning_presets), a as (delete from audit_log),
    s as (delete from strikes), d as (delete from decisions) delete from outbox`)
})
const make = (title: string, text: string) => call(createWarningPreset, { title, text }, ada)
const log = async () => (await call(listAuditLog, {})).entries
const warningTexts = async () =>
  (
    await harness.cluster
      .db('admin')
      .rows<{ data: string }>(sql`select data from outbox where subject = 'evt.admin.strike.created' order by id`)
  ).map((row) => JSON.parse(row.data).text)

test('presets are created, changed, listed newest first and deleted, with each change in the audit log', async () => {
  const spam = await make(' Spam ', ' Advertising is not allowed here. ')
  await expectGolden('admin-warning-preset', spam, harness.cluster.origin, { preset: spam.id })
  const rude = await make('', 'Please be kind.')
  expect((await call(listWarningPresets, {}, ada)).map((one) => one.id)).toEqual([rude.id, spam.id])
  expect((await call(listWarningPresets, { limit: 1, max_id: rude.id }, ada)).map((one) => one.id)).toEqual([spam.id])
  const changed = await call(updateWarningPreset, { id: spam.id, text: 'No advertising.' }, ada)
  expect(changed).toMatchObject({ title: 'Spam', text: 'No advertising.' })
  expect(await call(showWarningPreset, { id: spam.id }, ada)).toEqual(changed)
  expect(await call(removeWarningPreset, { id: spam.id }, ada)).toEqual({})
  for (const operation of [showWarningPreset, removeWarningPreset, updateWarningPreset])
    await expect(call(operation, { id: spam.id }, ada)).rejects.toMatchObject({ code: 'not_found' })
  const created_at = expect.any(String)
  const plain = { title: 'Spam', text: 'Advertising is not allowed here.', created_at }
  expect((await log()).map((one) => [one.action, one.target, one.before, one.after]).reverse()).toEqual([
    ['create_warning_preset', 'Spam', null, plain],
    ['create_warning_preset', 'Please be kind.', null, { title: '', text: 'Please be kind.', created_at }],
    ['update_warning_preset', 'Spam', plain, { title: 'Spam', text: 'No advertising.', created_at }],
    ['destroy_warning_preset', 'Spam', { title: 'Spam', text: 'No advertising.', created_at }, null],
  ])
})

test.each([
  [{ title: 'a', text: ' ' }, "Text can't be blank"],
  [{ title: 'a' }, "Text can't be blank"],
  [{ text: 'x'.repeat(2_001) }, 'Text is too long (maximum is 2000 characters)'],
  [{ title: 'x'.repeat(101), text: 'a' }, 'Title is too long (maximum is 100 characters)'],
] as [{ title?: string; text?: string }, string][])('preset %# is refused with its field', async (input, problem) => {
  const refusal = { status: 422, message: `Validation failed: ${problem}` }
  await expect(call(createWarningPreset, input, ada)).rejects.toMatchObject(refusal)
  const { id } = await make('a', 'a')
  if (input.text !== undefined)
    await expect(call(updateWarningPreset, { id, ...input }, ada)).rejects.toMatchObject(refusal)
})

test('the text of an action is the preset, a blank line and the text', async () => {
  const { id } = await make('Spam', 'No advertising.')
  const act = (input: object) => call(actOnAccount, { id: '102', type: 'none', ...input }, mona)
  await act({ warning_preset_id: id, text: 'It was the third time.' })
  await act({ warning_preset_id: id })
  await act({ text: 'Only this.' })
  expect(await warningTexts()).toEqual(['No advertising.\n\nIt was the third time.', 'No advertising.', 'Only this.'])
  for (const unknown of ['5', 'x'])
    await expect(act({ warning_preset_id: unknown })).rejects.toMatchObject({ code: 'not_found' })
})
