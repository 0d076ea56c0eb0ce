/** Hostile 73: Updates by suspended actors of known content are stored and stay hidden, and new content is refused. */

import { createPrivateKey } from 'node:crypto'
import { createGraphs } from '@murmuration/activitypub/signatures/graph'
import { addLinkedDataSignature } from '@murmuration/activitypub/signatures/linked-data'
import { readingContext } from '@murmuration/activitypub/vocabulary/context'
import { accountRecords, collectionsOfAccount, moderateAccount } from '@murmuration/contracts/accounts'
import { statusRecords } from '@murmuration/contracts/statuses'
import { type Document, makeActivity } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectionNode } from './collection-nodes.js'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
const graphs = createGraphs(readingContext)
afterAll(async () => {
  await graphs.close()
  await fixture.harness.stop()
})

const moderate = async (action: 'suspend' | 'unsuspend') => {
  const account = await fixture.harness.account(fixture.rita.id)
  await fixture.harness.call(moderateAccount, { id: account?.id ?? '', action, stamp: 'staff' })
  await fixture.harness.waitForIdle()
}

test('known content is updated while hidden, new content is refused, and the suspension stays', async () => {
  const { harness, rita, remote, sendActivity } = fixture
  const past = Date.now() - 60_000
  const note = fixture.note(rita, { published: new Date(past).toISOString() })
  expect(await sendActivity(rita, 'Create', note)).toBe('done')
  const list = collectionNode(rita)
  const listed = { target: `${rita.id}/featured_collections`, id: undefined, to: undefined }
  expect(await harness.outcome(remote, makeActivity(rita, 'Add', list, listed), { as: rita })).toBe('done')
  await moderate('suspend')

  const edited = { ...note, content: '<p>said otherwise</p>', updated: new Date(past + 5_000).toISOString() }
  expect(await sendActivity(rita, 'Update', edited)).toBe('done edited')
  expect(await sendActivity(rita, 'Update', { ...list, name: 'Owls' })).toBe('done')
  Object.assign(rita.document, { name: 'Rita the third' })
  expect(await sendActivity(rita, 'Update', rita.document)).toBe('done')
  const other = fixture.note(rita, { published: new Date(past).toISOString(), updated: new Date(past).toISOString() })
  expect(await sendActivity(rita, 'Update', other)).toBe('refused actor-is-suspended')
  expect(await sendActivity(rita, 'Update', collectionNode(rita))).toMatch(/^(refused|ignored)/)
  for (const foreign of [fixture.note(fixture.vera), fixture.vera.document])
    expect(await sendActivity(rita, 'Update', foreign)).toMatch(/^(refused|403)/)
  expect(await fixture.shown(note.id)).toBeNull()
  expect((await harness.account(rita.id))?.suspended).toBe(true)
  expect((await harness.call(statusRecords, { uris: [other.id] })).records).toEqual([])

  await moderate('unsuspend')
  expect((await fixture.shown(note.id))?.content).toBe('<p>said otherwise</p>')
  const { records } = await harness.call(accountRecords, { uris: [rita.id] })
  expect(records[0]).toMatchObject({ display_name: 'Rita the third', suspended: false })
  const { collections } = await harness.call(collectionsOfAccount, { id: records[0]?.id ?? '' })
  expect(collections.map((one) => one.name)).toEqual(['Owls'])
})

test('edits of a reply are forwarded to followers of the parent’s author, but not while its author is suspended', async () => {
  const { harness, rita, remote, bob, post } = fixture
  const other = await harness.server()
  const fred = await other.addActor('fred')
  await harness.outcome(other, makeActivity(fred, 'Follow', bob.uri), { as: fred })
  const past = Date.now() - 60_000
  const note = fixture.note(rita, { inReplyTo: post.uri, published: new Date(past).toISOString() })
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
    const outcome = await harness.outcome(remote, activity, { as: rita })
    await harness.waitForIdle()
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
