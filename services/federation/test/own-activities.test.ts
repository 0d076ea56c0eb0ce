/** Activities and their Undo while a server is away arrive there in order, and leave the same state as here. */
import { createBlock, createFollow, removeBlock, removeFollow } from '@murmuration/contracts/accounts'
import {
  addFavourite,
  addPin,
  addReblog,
  createStatus,
  deleteStatus,
  removeFavourite,
  removePin,
  removeReblog,
  resolveStatus,
  statusRecords,
} from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { holding } from '@murmuration/testkit'
import { type Document, makeActivity } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, type LocalAccount, startFixture } from './fixture.js'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.harness.stop())

const federation = () => fixture.harness.host.running.find((one) => one.service === 'federation')?.ctx
let offset = 0
/** Moves the clock until no delivery is pending. */
const arrived = async () => {
  const waiting = () => fixture.harness.db('federation').rows(sql`select 1 from deliveries where state = 0`)
  for (let tries = 0; tries < 20 && (await waiting()).length > 0; tries++) {
    offset += 1_200_000
    federation()?.clock.moveTo(offset)
    await expect
      .poll(
        async () =>
          (
            await fixture.harness
              .db('federation')
              .rows(sql`select 1 from lanes where due_at <= ${federation()?.clock.date()}`)
          ).length,
      )
      .toBe(0)
    await fixture.harness.waitForIdle()
  }
  expect(await waiting()).toEqual([])
}

const idOf = (object: unknown): string => (typeof object === 'string' ? object : String((object as Document).id))
/** State of a server that processes activities in the order of arrival. */
const current = (activities: readonly Document[]): string[] => {
  const all = new Map<string, string>()
  for (const { type, id, object, target } of activities) {
    if (type === 'Undo') all.delete(idOf(object))
    else if (type === 'Remove') all.delete(`${target} ${idOf(object)}`)
    else if (type === 'Add') all.set(`${target} ${idOf(object)}`, 'Add')
    else if (type === 'Follow' || type === 'Like' || type === 'Announce' || type === 'Block') all.set(String(id), type)
  }
  return [...all.values()].sort()
}

test.each(['answers', 'is away'] as const)('a server that %s', async (how) => {
  const { harness, remote, rita, vera } = fixture
  const ann: LocalAccount = await harness.createAccount(how === 'answers' ? 'ann' : 'amy')
  await harness.outcome(remote, makeActivity(rita, 'Follow', ann.uri), { as: rita })
  const note = remote.addNote(rita, 'words')
  const { id = '' } = { id: (await harness.call(resolveStatus, { uri: note.id, viewer: null })).id ?? '' }
  const own = await harness.call(createStatus, { status: 'mine' }, ann)
  await harness.outcome(remote, makeActivity(vera, 'Like', `${harness.origin}/x`), { as: vera })
  const [ritas, veras] = [await harness.account(rita.id), await harness.account(vera.id)]
  await harness.waitForIdle()
  remote.inbox.clear()
  const repair =
    how === 'answers' ? () => undefined : remote.behave({ kind: 'status', status: 503 }, { method: 'POST' })
  const actions: [() => Promise<unknown>, () => Promise<unknown>][] = [
    [
      () => harness.call(createFollow, { id: ritas?.id ?? '' }, ann),
      () => harness.call(removeFollow, { id: ritas?.id ?? '' }, ann),
    ],
    [() => harness.call(addFavourite, { id }, ann), () => harness.call(removeFavourite, { id }, ann)],
    [() => harness.call(addReblog, { id }, ann), () => harness.call(removeReblog, { id }, ann)],
    [
      () => harness.call(createBlock, { id: veras?.id ?? '' }, ann),
      () => harness.call(removeBlock, { id: veras?.id ?? '' }, ann),
    ],
    [() => harness.call(addPin, { id: own.id }, ann), () => harness.call(removePin, { id: own.id }, ann)],
  ]
  await Promise.all(
    actions.map(async ([act, sendUndo], n) => {
      await act()
      for (let time = 0; time < 2; time++) {
        // Some at once, some after the first attempt.
        if (n % 2 === time % 2) await harness.waitForIdle()
        await sendUndo()
        await act()
      }
    }),
  )
  await harness.waitForIdle()
  if (how === 'is away') expect(remote.inbox.all.filter(({ activity }) => activity.actor === ann.uri)).toEqual([])
  repair()
  await arrived()
  const came = remote.inbox.all.map(({ activity }) => activity).filter(({ actor }) => actor === ann.uri)
  expect(current(came)).toEqual(['Add', 'Announce', 'Block', 'Follow', 'Like'])
  const ids = came.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  // An Undo arrives after its activity, if that arrives at all.
  for (const [at, { type, object }] of came.entries())
    if (type === 'Undo') expect(ids.indexOf(idOf(object))).toBeLessThan(at)
  expect((await harness.call(statusRecords, { ids: [own.id] })).records[0]?.deleted).toBe(false)
})

test.each(['boost', 'status'] as const)('a %s deleted during publishing is deleted everywhere', async (what) => {
  const { harness, remote, rita } = fixture
  const author = await harness.createAccount(`author_of_${what}`)
  await harness.outcome(remote, makeActivity(rita, 'Follow', author.uri), { as: rita })
  const { id } = await harness.call(createStatus, { status: 'own' }, author)
  await harness.waitForIdle()
  remote.inbox.clear()
  // Deliveries wait until the lock is released.
  const held = await holding(harness.db('federation'), sql`lock table activities in share row exclusive mode`)
  if (what === 'boost') await harness.call(addReblog, { id }, author)
  const { id: made } = what === 'boost' ? { id } : await harness.call(createStatus, { status: 'short' }, author)
  await held.queued(1)
  if (what === 'boost') await harness.call(removeReblog, { id }, author)
  else await harness.call(deleteStatus, { id: made }, author)
  await held.queued(2)
  await held.letGo()
  await harness.waitForIdle()
  await arrived()
  const came = remote.inbox.all.map(({ activity }) => activity).filter(({ actor }) => actor === author.uri)
  expect(came.map(({ type }) => type)).toEqual(what === 'boost' ? ['Announce', 'Undo'] : ['Create', 'Delete'])
})
