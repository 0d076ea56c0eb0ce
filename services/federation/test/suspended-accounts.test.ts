/** Suspended local accounts: other servers receive an Update, and after thirty days the Delete. */
import { app as accounts } from '@murmuration/accounts'
import { moderateAccount } from '@murmuration/contracts/accounts'
import type { App } from '@murmuration/kernel'
import { makeActivity } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app as federation } from '../src/main.js'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
  const follow = makeActivity(fixture.rita, 'Follow', fixture.bob.uri)
  expect(await fixture.harness.outcome(fixture.remote, follow, { as: fixture.rita })).toBe('done')
})
afterAll(() => fixture.harness.stop())

/** Runs the ticks of a service with the clock moved by the given time. */
const later = async (app: Pick<App, 'manifest'>, name: string, ms: number) => {
  const { harness } = fixture
  const ctx = harness.host.running.find((one) => one.service === app.manifest.service)?.ctx
  ctx?.clock.moveTo(ms)
  await app.manifest.ticks.find((one) => one.name === name)?.run(ctx)
  ctx?.clock.moveTo(0)
  await harness.waitForIdle()
}
const received = (type: string) => {
  const isAboutBob = (object: unknown) =>
    object === fixture.bob.uri || (object as { id?: string } | null)?.id === fixture.bob.uri
  return fixture.remote.inbox.next((it) => it.activity.type === type && isAboutBob(it.activity.object))
}
const document = async () => {
  const answer = await fetch(fixture.bob.uri, { headers: { accept: 'application/activity+json' } })
  return {
    status: answer.status,
    suspended: ((await answer.json().catch(() => ({}))) as { suspended?: boolean }).suspended,
  }
}
const DAY = 86_400_000

test('activities 5: a suspended account is sent as suspended, and after thirty days a signed Delete and 410 follow', async () => {
  await fixture.harness.call(moderateAccount, { id: fixture.bob.id, action: 'suspend', stamp: 'staff' })
  await fixture.harness.waitForIdle()
  await later(federation, 'federation.tell-profiles', 6_000)
  expect((await received('Update')).activity.object).toMatchObject({ id: fixture.bob.uri, suspended: true })
  await later(accounts, 'accounts.remove-suspended', 29 * DAY)
  expect(await document()).toEqual({ status: 200, suspended: true })
  await later(accounts, 'accounts.remove-suspended', 31 * DAY)
  const deletion = await received('Delete')
  // The other server has the key already, because the actor document now returns 410.
  expect(deletion.headers.signature).toContain(`${fixture.bob.uri}#main-key`)
  expect((await document()).status).toBe(410)
  expect(
    (
      await fixture.harness.deliver(fixture.remote, makeActivity(fixture.rita, 'Like', fixture.post.uri), {
        as: fixture.rita,
        to: `${new URL(fixture.bob.uri).pathname}/inbox`,
      })
    ).status,
  ).toBe(410)
})
