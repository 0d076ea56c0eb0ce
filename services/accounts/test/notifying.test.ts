/** Tests of the state that notifications read: refusals, followers who want notifications, and staff. */
import {
  accountRecords,
  audience,
  createBlock,
  createFollow,
  createMute,
  refusals,
} from '@murmuration/contracts/accounts'
import { DEFAULT_ROLES } from '@murmuration/contracts/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startAccounts()
})
afterAll(() => harness.stop())

test('only blocks and mutes with notifications are refusals', async () => {
  const [ann, bob, cat, dan] = await Promise.all(
    ['ann', 'bob', 'cat', 'dan'].map((name) => harness.createAccount(name)),
  )
  await harness.call(createBlock, { id: bob!.id }, ann)
  await harness.call(createMute, { id: cat!.id, notifications: true }, ann)
  await harness.call(createMute, { id: dan!.id, notifications: false }, ann)
  await harness.call(createMute, { id: dan!.id, notifications: true }, bob)
  const ids = [ann!.id, bob!.id, cat!.id, dan!.id]
  const { refused } = await harness.call(refusals, { viewers: ids, authors: ids })
  expect(refused[ann!.id]?.toSorted()).toEqual([bob!.id, cat!.id].toSorted())
  expect(refused[bob!.id]).toEqual([dan!.id])
  expect(Object.keys(refused)).toHaveLength(2)
  expect(await harness.call(refusals, { viewers: ids, authors: [] })).toEqual({ refused: {} })
})

test('S-068 an audience may be restricted to followers who want notifications', async () => {
  const [eve, fay, gus] = await Promise.all(['eve', 'fay', 'gus'].map((name) => harness.createAccount(name)))
  await harness.call(createFollow, { id: eve!.id, notify: true }, fay)
  await harness.call(createFollow, { id: eve!.id }, gus)
  await harness.db('accounts').run({ text: 'update users set active_at = now()', values: [] })
  const idsOf = async (notify?: boolean) =>
    (await harness.call(audience, { author: eve!.id, activeDays: 1, notify })).followers.map((one) => one.id)
  expect((await idsOf()).toSorted()).toEqual([fay!.id, gus!.id].toSorted())
  expect(await idsOf(true)).toEqual([fay!.id])
})

test('account records contain the staff role', async () => {
  const [mod, hal] = [await harness.createAccount('mod', { role: 'Moderator' }), await harness.createAccount('hal')]
  const { records } = await harness.call(accountRecords, { ids: [mod.id, hal.id] })
  const { position, permissions } = DEFAULT_ROLES.moderator
  expect(records.find((one) => one.id === mod.id)?.role).toEqual({ position, permissions, highlighted: true })
  expect(records.find((one) => one.id === hal.id)?.role).toBeNull()
})
