/** A new signing key reaches other servers with an Update that the old key signs; everything after it is signed with the new one. */
import { rotateAllKeys, rotateKeys } from '@murmuration/contracts/accounts'
import { createStatus } from '@murmuration/contracts/statuses'
import { makeActivity } from '@murmuration/testkit/outside/remote-actor'
import { verifySigned } from '@murmuration/testkit/outside/signing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app as federation } from '../src/main.js'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

test('the Update with the new key is signed with the old key, and what follows with the new one', async () => {
  const remote = await harness.server()
  const rita = await remote.addActor('rita')
  const bob = await harness.createAccount('bob')
  await harness.outcome(remote, makeActivity(rita, 'Follow', bob.uri), { as: rita })
  const { publicKey } = (await remote.fetch(bob.uri, { as: rita })).json<{ publicKey: { publicKeyPem: string } }>()
  await harness.call(createStatus, { status: 'before' }, bob)
  await remote.inbox.next((one) => one.activity.type === 'Create')

  await harness.call(rotateKeys, { id: bob.id })
  await harness.waitForIdle()
  const ctx = harness.host.running.find((one) => one.service === 'federation')!.ctx
  ctx.clock.moveTo(6_000)
  await federation.manifest.ticks.find((one) => one.name === 'federation.tell-profiles')?.run(ctx)
  ctx.clock.moveTo(0)
  const update = await remote.inbox.next((one) => one.activity.type === 'Update')
  const fresh = (update.activity.object as { publicKey: { publicKeyPem: string } }).publicKey.publicKeyPem
  expect(fresh).not.toBe(publicKey.publicKeyPem)
  expect(verifySigned(update, publicKey.publicKeyPem, remote.origin)).toBeTruthy()
  expect(() => verifySigned(update, fresh, remote.origin)).toThrow()

  await harness.call(createStatus, { status: 'after' }, bob)
  const create = await remote.inbox.next((one) => one.activity.type === 'Create')
  expect(() => verifySigned(create, publicKey.publicKeyPem, remote.origin)).toThrow()
  expect(await remote.verify(create, { as: rita })).toBeTruthy()
})

test('new keys for all replace that of the instance actor, which signs with it at once', async () => {
  const remote = await harness.server()
  const rita = await remote.addActor('rita')
  const keyOf = async () => {
    const response = await remote.fetch(`${harness.origin}/actor`, { as: rita })
    return response.json<{ publicKey: { publicKeyPem: string } }>().publicKey.publicKeyPem
  }
  const before = await keyOf()
  await harness.call(rotateAllKeys, { delay: '0' })
  await harness.waitForIdle()
  expect(await keyOf()).not.toBe(before)
})
