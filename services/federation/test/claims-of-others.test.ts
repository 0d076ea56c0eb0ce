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
import { type Stage, startStage } from './stage.js'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.world.stop())
afterEach(async () => {
  stage.remote.repair()
  await stage.world.settle()
  expect(await stage.world.db('federation').rows(sql`select reason from dead_letters`)).toEqual([])
})

describe('votes', () => {
  let votes = 0
  const vote = (poll: string, name: string): Document => ({
    id: `${stage.vera.id}#votes/${++votes}`,
    type: 'Note',
    attributedTo: stage.vera.id,
    name,
    inReplyTo: poll,
    to: [stage.bob.uri],
  })
  const cast = (poll: string, ...names: string[]) => {
    const notes = names.map((name) => vote(poll, name))
    return stage.say(stage.vera, 'Create', (notes.length === 1 ? notes[0] : notes) as Document, { to: [stage.bob.uri] })
  }
  const poll = (multiple = false) =>
    stage.write({ status: 'which?', poll: { options: ['Red', 'Blue'], expires_in: 3_600, multiple } })
  const counted = async (id: string) => {
    const { poll: shown } = await stage.world.call(showStatus, { id }, stage.bob)
    return [...(shown?.options.map((it) => it.votes_count) ?? []), shown?.voters_count]
  }
  const statuses = async () => stage.world.db('statuses').row(sql`select count(*)::int as n from statuses`)

  test('hostile 64 second choices, unknown options, and votes in ended, remote or absent polls do not count', async () => {
    const one = await poll()
    const over = await poll()
    await stage.world
      .db('statuses')
      .run(sql`update polls set expires_at = now() - interval '1 minute' where status_id = ${over.id}`)
    const before = await statuses()
    expect(await cast(one.uri, 'Red')).toBe('done')
    expect(await cast(one.uri, 'Red')).toBe('done unchanged')
    expect(await cast(one.uri, 'Blue')).not.toBe('done')
    expect(await cast(one.uri, 'Green')).toMatch(/^(refused|ignored)/)
    expect(await cast(over.uri, 'Red')).toBe('ignored poll-is-over')
    expect(await cast(stage.post.uri, 'Red')).toMatch(/^(refused|ignored)/)
    expect(await cast(`${stage.rita.id}/statuses/999`, 'Red')).toMatch(/^(refused|ignored)/)
    expect(await counted(one.id)).toEqual([1, 0, 1])
    expect(await counted(over.id)).toEqual([0, 0, 0])
    expect(await statuses()).toEqual(before)
  })

  test('g04 interop 6.9 several choices in one activity count as one voter', async () => {
    const many = await poll(true)
    expect(await cast(many.uri, 'Red', 'Blue')).toBe('done')
    expect(await cast(many.uri, 'Red', 'Blue')).toBe('done unchanged')
    expect(await counted(many.id)).toEqual([1, 1, 1])
  })
})

describe('pins', () => {
  const featured = () => `${stage.rita.id}/collections/featured`
  const pinned = async () => {
    const account = await stage.world.account(stage.rita.id)
    const shown = await stage.world.call(accountTimeline, { id: account?.id ?? '', pinned: true }, stage.bob)
    return shown.map((it) => it.uri)
  }

  test('hostile 66 75 interop 5.18 only own statuses in the own list are pinned and unpinned', async () => {
    const { rita, vera, remote, say, note, world } = stage
    Object.assign(rita.document, { featured: featured() })
    expect(await say(rita, 'Update', rita.document)).toMatch(/^done/)
    const own = note(rita)
    const others = note(vera, { cc: [stage.bob.uri] })
    await say(rita, 'Create', own)
    await say(vera, 'Create', others)
    const secret = await stage.write({ status: 'not theirs', visibility: 'direct' })
    for (const id of [others.id, secret.uri, stage.post.uri, `${stage.world.origin}/nothing`])
      expect([id, await say(rita, 'Add', id, { target: featured() })]).toEqual([
        id,
        expect.stringMatching(/^(refused|ignored)/),
      ])
    for (const target of [
      `${vera.id}/collections/featured`,
      `${rita.id}/anything`,
      `${world.origin}/users/bob/collections/featured`,
    ])
      expect(await say(rita, 'Add', own.id, { target })).toMatch(/^refused/)
    expect(await pinned()).toEqual([])
    expect(await say(rita, 'Add', own.id, { target: featured(), id: undefined } as Document)).toMatch(/^done/)
    expect(await pinned()).toEqual([own.id])
    expect(await say(vera, 'Remove', own.id, { target: featured() })).toMatch(/^refused/)
    expect(await say(rita, 'Remove', own.id, { target: featured() })).toBe('done')
    expect(await pinned()).toEqual([])
    expect(remote.origin).not.toBe(world.origin)
  })

  test('hostile 66 unknown pins of accounts without local followers are not fetched', async () => {
    const { bob, remote, say, note } = stage
    const wim = await remote.addActor('wim')
    const target = `${wim.id}/collections/featured`
    Object.assign(wim.document, { featured: target })
    const { id } = remote.addNote(wim, '<p>look at me</p>')
    expect(await say(wim, 'Add', id, { target })).toBe('refused nobody-asked')
    expect(remote.requests.all.filter((one) => one.path === new URL(id).pathname)).toEqual([])
    expect(await stage.shown(id)).toBeNull()
    expect(await say(wim, 'Remove', id, { target })).toBe('ignored unknown-object')
    const known = note(wim, { cc: [bob.uri], tag: [{ type: 'Mention', href: bob.uri, name: '@bob' }] })
    expect(await say(wim, 'Create', known)).toBe('done')
    expect(await say(wim, 'Add', known.id, { target })).toBe('done')
  })

  test('hostile 75 a list of pins shows only public statuses of its owner', async () => {
    const { remote, world } = stage
    const sue = await remote.addActor('sue')
    const list = `${sue.id}/collections/featured`
    Object.assign(sue.document, { featured: list })
    const own = remote.addNote(sue, '<p>mine</p>')
    const secret = await stage.write({ status: 'not theirs', visibility: 'private' })
    remote.publish(new URL(list).pathname, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: list,
      type: 'OrderedCollection',
      totalItems: 4,
      orderedItems: [secret.uri, stage.post.uri, remote.addNote(stage.vera, '<p>vera</p>'), own],
    })
    await stage.follow(stage.bob, sue)
    await world.settle()
    const account = await world.account(sue.id)
    const shown = () => world.call(accountTimeline, { id: account?.id ?? '', pinned: true }, stage.bob)
    await expect.poll(async () => (await shown()).map((it) => it.uri)).toEqual([own.id])
  })
})

describe('followers', () => {
  const list = () => `${stage.rita.id}/followers_synchronization`
  const isFollowed = async () => {
    const account = await stage.world.account(stage.rita.id)
    const rows = await stage.world
      .db('accounts')
      .rows(sql`select 1 from follows where account_id = ${stage.bob.id} and target_id = ${account?.id}`)
    return rows.length > 0
  }
  /** Delivers an activity with a signed Collection-Synchronization header. */
  const said = async (digest: string, more: { collectionId?: string; url?: string } = {}) => {
    const { world, rita, remote } = stage
    const body = Buffer.from(JSON.stringify(makeActivity(rita, 'Like', `${world.origin}/x`, { to: [PUBLIC] })))
    const header = writeCollectionSynchronization({ collectionId: rita.followers, url: list(), digest, ...more })
    const url = `${world.origin}/inbox`
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
    await world.settle()
    return remote.requests.all.filter((it) => it.path.includes('followers')).length
  }
  const publish = (items: string[]) =>
    stage.remote.publish(new URL(list()).pathname, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: list(),
      type: 'OrderedCollection',
      orderedItems: items,
    })

  test('hostile 76 a digest for another actor or with a list on another server is ignored', async () => {
    publish([])
    expect(await said(emptyDigest, { collectionId: stage.vera.followers })).toBe(0)
    expect(await said(emptyDigest, { url: 'https://elsewhere.example/followers' })).toBe(0)
    expect(await isFollowed()).toBe(true)
  })

  test('hostile 77 only a list that matches its digest ends follows', async () => {
    expect(await isFollowed()).toBe(true)
    publish([])
    expect(await said(followersDigest([`${stage.world.origin}/users/somebody`]))).toBeGreaterThan(0)
    expect(await isFollowed()).toBe(true)
    publish([`${stage.remote.origin}/users/vera`])
    await said(followersDigest([`${stage.remote.origin}/users/vera`]))
    expect(await isFollowed()).toBe(true)
    publish([])
    await said(emptyDigest)
    expect(await isFollowed()).toBe(false)
  })
})
