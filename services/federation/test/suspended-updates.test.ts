/** Hostile 73: Updates by suspended actors of known content are stored and stay hidden, and new content is refused. */

import { createPrivateKey } from 'node:crypto'
import { createGraphs } from '@murmuration/activitypub/signatures/graph'
import { addLinkedDataSignature } from '@murmuration/activitypub/signatures/linked-data'
import { readingContext } from '@murmuration/activitypub/vocabulary/context'
import { accountModerate, accountRecords, collectionsOfAccount } from '@murmuration/contracts/accounts'
import { statusRecords } from '@murmuration/contracts/statuses'
import { type Document, makeActivity } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectionNode } from './collection-nodes.js'
import { type Stage, startStage } from './stage.js'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
}, 60_000)
const graphs = createGraphs(readingContext)
afterAll(async () => {
  await graphs.close()
  await stage.world.stop()
})

const moderate = async (action: 'suspend' | 'unsuspend') => {
  const account = await stage.world.account(stage.rita.id)
  await stage.world.call(accountModerate, { id: account?.id ?? '', action, stamp: 'staff' })
  await stage.world.settle()
}

test('known content is updated while hidden, new content is refused, and the suspension stays', async () => {
  const { world, rita, remote, say } = stage
  const past = Date.now() - 60_000
  const note = stage.note(rita, { published: new Date(past).toISOString() })
  expect(await say(rita, 'Create', note)).toBe('done')
  const list = collectionNode(rita)
  const listed = { target: `${rita.id}/featured_collections`, id: undefined, to: undefined }
  expect(await world.outcome(remote, makeActivity(rita, 'Add', list, listed), { as: rita })).toBe('done')
  await moderate('suspend')

  const edited = { ...note, content: '<p>said otherwise</p>', updated: new Date(past + 5_000).toISOString() }
  expect(await say(rita, 'Update', edited)).toBe('done edited')
  expect(await say(rita, 'Update', { ...list, name: 'Owls' })).toBe('done')
  Object.assign(rita.document, { name: 'Rita the third' })
  expect(await say(rita, 'Update', rita.document)).toBe('done')
  const other = stage.note(rita, { published: new Date(past).toISOString(), updated: new Date(past).toISOString() })
  expect(await say(rita, 'Update', other)).toBe('refused actor-is-suspended')
  expect(await say(rita, 'Update', collectionNode(rita))).toMatch(/^(refused|ignored)/)
  for (const foreign of [stage.note(stage.vera), stage.vera.document])
    expect(await say(rita, 'Update', foreign)).toMatch(/^(refused|403)/)
  expect(await stage.shown(note.id)).toBeNull()
  expect((await world.account(rita.id))?.suspended).toBe(true)
  expect((await world.call(statusRecords, { uris: [other.id] })).records).toEqual([])

  await moderate('unsuspend')
  expect((await stage.shown(note.id))?.content).toBe('<p>said otherwise</p>')
  const { records } = await world.call(accountRecords, { uris: [rita.id] })
  expect(records[0]).toMatchObject({ display_name: 'Rita the third', suspended: false })
  const { collections } = await world.call(collectionsOfAccount, { id: records[0]?.id ?? '' })
  expect(collections.map((one) => one.name)).toEqual(['Owls'])
})

test('edits of a reply are forwarded to followers of the parent’s author, but not while its author is suspended', async () => {
  const { world, rita, remote, bob, post } = stage
  const other = await world.server()
  const fred = await other.addActor('fred')
  await world.outcome(other, makeActivity(fred, 'Follow', bob.uri), { as: fred })
  const past = Date.now() - 60_000
  const note = stage.note(rita, { inReplyTo: post.uri, published: new Date(past).toISOString() })
  const tell = async (type: string, n: number) => {
    const object = { ...note, content: `<p>version ${n}</p>`, updated: new Date(past + n * 1_000).toISOString() }
    const plain = { ...makeActivity(rita, type, object), '@context': ['https://www.w3.org/ns/activitystreams'] }
    const { privateKey, keyId } = rita
    const [created, expires] = [0, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString())
    const how = {
      keyId,
      privateKey: createPrivateKey(privateKey),
      created: created ?? '',
      expires: expires ?? '',
      graphs,
    }
    const activity = (await addLinkedDataSignature(plain as never, how)) as Document & { id: string }
    const outcome = await world.outcome(remote, activity, { as: rita })
    await world.settle()
    return outcome
  }
  expect(await tell('Create', 0)).toBe('done')
  expect(await tell('Update', 1)).toBe('done edited')
  await moderate('suspend')
  expect(await tell('Update', 2)).toBe('done edited')
  await moderate('unsuspend')
  expect(await tell('Update', 3)).toBe('done edited')
  const heard = other.inbox.all.map((it) => it.activity).filter((it) => it.actor === rita.id)
  expect(heard.map((it) => (it.object as Document).content)).toEqual([0, 1, 3].map((n) => `<p>version ${n}</p>`))
})
