/** Claims of other servers about polls, pins and followers count only for their own accounts. */
import { createPrivateKey } from 'node:crypto'
import {
  emptyDigest,
  followersDigest,
  writeCollectionSynchronization,
} from '@murmuration/activitypub/signatures/collection-synchronization'
import { signRequest } from '@murmuration/activitypub/signatures/sign-request'
import { accountTimeline, showStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Document, makeActivity, PUBLIC } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.harness.stop())
afterEach(async () => {
  fixture.remote.repair()
  await fixture.harness.waitForIdle()
  expect(await fixture.harness.db('federation').rows(sql`select reason from dead_letters`)).toEqual([])
})

describe('votes', () => {
  let votes = 0
  const voteNote = (poll: string, name: string): Document => ({
    id: `${fixture.vera.id}#votes/${++votes}`,
    type: 'Note',
    attributedTo: fixture.vera.id,
    name,
    inReplyTo: poll,
    to: [fixture.bob.uri],
  })
  const vote = (poll: string, ...names: string[]) => {
    const notes = names.map((name) => voteNote(poll, name))
    return fixture.sendActivity(fixture.vera, 'Create', (notes.length === 1 ? notes[0] : notes) as Document, {
      to: [fixture.bob.uri],
    })
  }
  const poll = (multiple = false) =>
    fixture.write({ status: 'which?', poll: { options: ['Red', 'Blue'], expires_in: 3_600, multiple } })
  const counted = async (id: string) => {
    const { poll: shown } = await fixture.harness.call(showStatus, { id }, fixture.bob)
    return [...(shown?.options.map((it) => it.votes_count) ?? []), shown?.voters_count]
  }
  const statuses = async () => fixture.harness.db('statuses').row(sql`select count(*)::int as n from statuses`)

  test('hostile 64 second choices, unknown options, and votes in ended, remote or absent polls do not count', async () => {
    const one = await poll()
    const over = await poll()
    await fixture.harness
      .db('statuses')
      .run(sql`update polls set expires_at = now() - interval '1 minute' where status_id = ${over.id}`)
    const before = await statuses()
    expect(await vote(one.uri, 'Red')).toBe('done')
    expect(await vote(one.uri, 'Red')).toBe('done unchanged')
    expect(await vote(one.uri, 'Blue')).not.toBe('done')
    expect(await vote(one.uri, 'Green')).toMatch(/^(refused|ignored)/)
    expect(await vote(over.uri, 'Red')).toBe('ignored poll-is-over')
    expect(await vote(fixture.post.uri, 'Red')).toMatch(/^(refused|ignored)/)
    expect(await vote(`${fixture.rita.id}/statuses/999`, 'Red')).toMatch(/^(refused|ignored)/)
    expect(await counted(one.id)).toEqual([1, 0, 1])
    expect(await counted(over.id)).toEqual([0, 0, 0])
    expect(await statuses()).toEqual(before)
  })

  test('g04 interop 6.9 several choices in one activity count as one voter', async () => {
    const many = await poll(true)
    expect(await vote(many.uri, 'Red', 'Blue')).toBe('done')
    expect(await vote(many.uri, 'Red', 'Blue')).toBe('done unchanged')
    expect(await counted(many.id)).toEqual([1, 1, 1])
  })
})

describe('pins', () => {
  const featured = () => `${fixture.rita.id}/collections/featured`
  const pinned = async () => {
    const account = await fixture.harness.account(fixture.rita.id)
    const shown = await fixture.harness.call(accountTimeline, { id: account?.id ?? '', pinned: true }, fixture.bob)
    return shown.map((it) => it.uri)
  }

  test('hostile 66 75 interop 5.18 only own statuses in the own list are pinned and unpinned', async () => {
    const { rita, vera, remote, sendActivity, note, harness } = fixture
    Object.assign(rita.document, { featured: featured() })
    expect(await sendActivity(rita, 'Update', rita.document)).toMatch(/^done/)
    const own = note(rita)
    const others = note(vera, { cc: [fixture.bob.uri] })
    await sendActivity(rita, 'Create', own)
    await sendActivity(vera, 'Create', others)
    const secret = await fixture.write({ status: 'not theirs', visibility: 'direct' })
    for (const id of [others.id, secret.uri, fixture.post.uri, `${fixture.harness.origin}/nothing`])
      expect([id, await sendActivity(rita, 'Add', id, { target: featured() })]).toEqual([
        id,
        expect.stringMatching(/^(refused|ignored)/),
      ])
    for (const target of [
      `${vera.id}/collections/featured`,
      `${rita.id}/anything`,
      `${harness.origin}/users/bob/collections/featured`,
    ])
      expect(await sendActivity(rita, 'Add', own.id, { target })).toMatch(/^refused/)
    expect(await pinned()).toEqual([])
    expect(await sendActivity(rita, 'Add', own.id, { target: featured(), id: undefined } as Document)).toMatch(/^done/)
    expect(await pinned()).toEqual([own.id])
    expect(await sendActivity(vera, 'Remove', own.id, { target: featured() })).toMatch(/^refused/)
    expect(await sendActivity(rita, 'Remove', own.id, { target: featured() })).toBe('done')
    expect(await pinned()).toEqual([])
    expect(remote.origin).not.toBe(harness.origin)
  })

  test('hostile 66 unknown pins of accounts without local followers are not fetched', async () => {
    const { bob, remote, sendActivity, note } = fixture
    const wim = await remote.addActor('wim')
    const target = `${wim.id}/collections/featured`
    Object.assign(wim.document, { featured: target })
    const { id } = remote.addNote(wim, '<p>look at me</p>')
    expect(await sendActivity(wim, 'Add', id, { target })).toBe('refused nobody-asked')
    expect(remote.requests.all.filter((one) => one.path === new URL(id).pathname)).toEqual([])
    expect(await fixture.shown(id)).toBeNull()
    // An older list of pins with this status no longer counts.
    const versions = () => fixture.harness.db('statuses').rows(sql`select account_id, version from pin_versions`)
    const before = await versions()
    expect(await sendActivity(wim, 'Remove', id, { target })).toBe('ignored unknown-object')
    expect(await versions()).toHaveLength(before.length + 1)
    const known = note(wim, { cc: [bob.uri], tag: [{ type: 'Mention', href: bob.uri, name: '@bob' }] })
    expect(await sendActivity(wim, 'Create', known)).toBe('done')
    expect(await sendActivity(wim, 'Add', known.id, { target })).toBe('done')
  })

  test('hostile 75 a list of pins shows only public statuses of its owner', async () => {
    const { remote, harness } = fixture
    const sue = await remote.addActor('sue')
    const list = `${sue.id}/collections/featured`
    Object.assign(sue.document, { featured: list })
    const own = remote.addNote(sue, '<p>mine</p>')
    const secret = await fixture.write({ status: 'not theirs', visibility: 'private' })
    remote.publish(new URL(list).pathname, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: list,
      type: 'OrderedCollection',
      totalItems: 4,
      orderedItems: [secret.uri, fixture.post.uri, remote.addNote(fixture.vera, '<p>vera</p>'), own],
    })
    await fixture.follow(fixture.bob, sue)
    await harness.waitForIdle()
    const account = await harness.account(sue.id)
    const shown = () => harness.call(accountTimeline, { id: account?.id ?? '', pinned: true }, fixture.bob)
    await expect.poll(async () => (await shown()).map((it) => it.uri)).toEqual([own.id])
  })
})

describe('followers', () => {
  const list = () => `${fixture.rita.id}/followers_synchronization`
  const isFollowed = async () => {
    const account = await fixture.harness.account(fixture.rita.id)
    const rows = await fixture.harness
      .db('accounts')
      .rows(sql`select 1 from follows where account_id = ${fixture.bob.id} and target_id = ${account?.id}`)
    return rows.length > 0
  }
  /** Delivers an activity with a signed Collection-Synchronization header. */
  const claim = async (digest: string, more: { collectionId?: string; url?: string } = {}) => {
    const { harness, rita, remote } = fixture
    const body = Buffer.from(JSON.stringify(makeActivity(rita, 'Like', `${harness.origin}/x`, { to: [PUBLIC] })))
    const header = writeCollectionSynchronization({ collectionId: rita.followers, url: list(), digest, ...more })
    const url = `${harness.origin}/inbox`
    const { host: _host, ...headers } = await signRequest({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/activity+json', 'collection-synchronization': header },
      body,
      keyId: rita.keyId,
      privateKey: createPrivateKey(rita.privateKey),
      now: Date.now(),
      scheme: 'cavage',
    })
    remote.requests.clear()
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(202)
    await harness.waitForIdle()
    return remote.requests.all.filter((it) => it.path.includes('followers')).length
  }
  const publish = (items: string[]) =>
    fixture.remote.publish(new URL(list()).pathname, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: list(),
      type: 'OrderedCollection',
      orderedItems: items,
    })

  test('hostile 76 a digest for another actor or with a list on another server is ignored', async () => {
    publish([])
    expect(await claim(emptyDigest, { collectionId: fixture.vera.followers })).toBe(0)
    expect(await claim(emptyDigest, { url: 'https://elsewhere.example/followers' })).toBe(0)
    expect(await isFollowed()).toBe(true)
  })

  test('hostile 77 only a list that matches its digest ends follows', async () => {
    expect(await isFollowed()).toBe(true)
    publish([])
    expect(await claim(followersDigest([`${fixture.harness.origin}/users/somebody`]))).toBeGreaterThan(0)
    expect(await isFollowed()).toBe(true)
    publish([`${fixture.remote.origin}/users/vera`])
    await claim(followersDigest([`${fixture.remote.origin}/users/vera`]))
    expect(await isFollowed()).toBe(true)
    publish([])
    await claim(emptyDigest)
    expect(await isFollowed()).toBe(false)
  })
})
