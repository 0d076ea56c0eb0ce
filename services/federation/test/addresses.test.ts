/** Activities that name accounts and statuses by pages, old ids and redirects instead of their ids. */
import { collectionRecords, createCollection, createFollow } from '@murmuration/contracts/accounts'
import { flagReceived } from '@murmuration/contracts/federation'
import { listNotifications } from '@murmuration/contracts/notifications'
import { accountTimeline, search, showStatus, showThread, statusRecords } from '@murmuration/contracts/statuses'
import { name, sql } from '@murmuration/db'
import { app as notifications } from '@murmuration/notifications'
import { type Document, makeActivity, PUBLIC } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture({}, [notifications])
})
afterAll(() => fixture.harness.stop())

/** Addresses of bob's profile that are not its id. */
const profiles = () => {
  const paths = ['@bob', 'users/bob', '@Bob', `@bob@${new URL(fixture.harness.origin).host}`]
  return paths.map((path) => `${fixture.harness.origin}/${path}`)
}
/** Addresses of a status of bob that are not its id. */
const pages = (id: string) =>
  [`@bob/${id}`, `users/bob/statuses/${id}`].map((path) => `${fixture.harness.origin}/${path}`)
const follows = () =>
  fixture.harness
    .db('accounts')
    .rows(sql`select 1 from follows f join accounts a on a.id = f.account_id where a.uri = ${fixture.vera.id}`)
const recordOf = async (uri: string) => (await fixture.harness.call(statusRecords, { uris: [uri] })).records[0]

describe('a local account, by its page', () => {
  test('is followed, unfollowed and blocked', async () => {
    for (const page of profiles()) {
      expect(await fixture.sendActivity(fixture.vera, 'Follow', page)).toBe('done')
      expect(await follows()).toHaveLength(1)
      const inner = { type: 'Follow', actor: fixture.vera.id, object: page }
      expect(await fixture.sendActivity(fixture.vera, 'Undo', inner)).toBe('done')
      expect(await follows()).toHaveLength(0)
      expect(await fixture.sendActivity(fixture.vera, 'Block', page)).toBe('done')
      expect(await fixture.sendActivity(fixture.vera, 'Undo', { ...inner, type: 'Block' })).toBe('done')
    }
    expect(await fixture.sendActivity(fixture.vera, 'Follow', `${fixture.harness.origin}/@bob@third.example`)).toMatch(
      'unknown-object',
    )
  })

  test('is addressed in a status for it alone', async () => {
    const { origin } = fixture.harness
    for (const page of [...profiles(), `${origin}/users/bob@${new URL(origin).host}`]) {
      const direct = fixture.note(fixture.vera, { to: [page], cc: [] })
      const open = fixture.note(fixture.vera, { to: [PUBLIC], cc: [page] })
      for (const note of [direct, open]) expect(await fixture.sendActivity(fixture.vera, 'Create', note)).toBe('done')
      expect([page, await fixture.shown(direct.id)]).toMatchObject([page, { visibility: 'direct', mentions: [] }])
      expect([page, await fixture.shown(open.id)]).toMatchObject([page, { visibility: 'public', mentions: [] }])
      const sent = await fixture.harness.call(listNotifications, { types: ['mention'], limit: 40 }, fixture.bob)
      expect(sent.filter((one) => 'status' in one && one.status?.uri === open.id)).toEqual([])
    }
  })

  test('is mentioned and notified once, in each form of the address', async () => {
    const handle = `bob@${new URL(fixture.harness.origin).host}`
    for (const tag of [
      ...profiles().map((href) => ({ type: 'Mention', href })),
      ...[`@${handle}`, ` @${handle} `, `acct:${handle}`].map((name) => ({ type: 'Mention', name })),
      { type: 'Mention', nameMap: { en: `@${handle}` } },
      { type: 'Mention', href: `acct:${handle}` },
      { type: 'Mention', href: `acct:${handle}`, name: '@bob' },
    ])
      for (const cc of [[fixture.bob.uri], [fixture.bob.uri, profiles()[0]], [profiles()[0]]]) {
        const note = fixture.note(fixture.vera, { tag, cc })
        expect(await fixture.sendActivity(fixture.vera, 'Create', note)).toBe('done')
        expect((await fixture.shown(note.id))?.mentions.map((one) => one.id)).toEqual([fixture.bob.id])
        const sent = await fixture.harness.call(listNotifications, { types: ['mention'] }, fixture.bob)
        expect(sent.filter((one) => 'status' in one && one.status?.uri === note.id)).toHaveLength(1)
      }
  })

  test('is followed and mentioned with characters around its id or page, and not mentioned if only addressed', async () => {
    const { bob, vera, harness } = fixture
    const page = `${harness.origin}/@bob`
    const spellings = [`${bob.uri}/`, `${bob.uri}#me`, bob.uri.replace('http', 'HTTP')]
    const encoded = [`${harness.origin}/%40bob`, `${harness.origin}/@%62%6Fb`, `${harness.origin}/users/%62ob`]
    for (const spelling of [...spellings, ...encoded, `${page}/`, `${harness.origin}/web/@bob`]) {
      expect(await fixture.sendActivity(vera, 'Follow', spelling)).toBe('done')
      expect(await follows()).toHaveLength(1)
      await fixture.sendActivity(vera, 'Undo', { type: 'Follow', actor: vera.id, object: spelling })
      expect(await follows()).toHaveLength(0)
      const mentions = fixture.note(vera, { to: [bob.uri], cc: [], tag: { type: 'Mention', href: spelling } })
      expect(await fixture.sendActivity(vera, 'Create', mentions)).toBe('done')
      expect((await fixture.shown(mentions.id))?.mentions.map((one) => one.id)).toEqual([bob.id])
      const addresses = fixture.note(vera, { to: [spelling], cc: [] })
      expect(await fixture.sendActivity(vera, 'Create', addresses)).toBe('done')
      expect(await fixture.shown(addresses.id)).toMatchObject({ visibility: 'direct', mentions: [] })
    }
  })

  test('is mentioned and notified with encoded characters in the name or the address', async () => {
    const { bob, vera, remote, harness } = fixture
    const host = new URL(harness.origin).host
    const name = { name: '@bob', type: 'Mention' }
    const tags = [
      ...[`@b%6fb@${host}`, `@b%6Fb@${host}`, `%40bob@${host}`, `acct:%62ob@${host}`, `b%6fb%40${host}`].map((it) => ({
        type: 'Mention',
        name: it,
      })),
      { type: 'Mention', href: `acct:b%6fb@${host}` },
      ...['/users/b%6fb', '/@b%6Fb/', '/web/@%62ob', '/%40bob', '/%75sers/bob'].map((path) => ({
        ...name,
        href: `${harness.origin}${path}`,
      })),
      { ...name, href: bob.uri.replace(/\d$/, (digit) => `%3${digit}`) },
    ]
    for (const [at, tag] of tags.entries()) {
      const note = fixture.note(vera, { tag, to: ['href' in tag && at > 5 ? tag.href : bob.uri], cc: [] })
      if (at % 2) expect(await fixture.sendActivity(vera, 'Create', note)).toBe('done')
      else {
        remote.publish(new URL(note.id).pathname, { ...note, to: [PUBLIC], cc: note.to })
        await harness.call(search, { q: note.id, resolve: true }, bob)
      }
      expect([tag, (await fixture.shown(note.id))?.mentions.map((one) => one.id)]).toEqual([tag, [bob.id]])
    }
  })

  test('is mentioned by its handle if the address is on this server and is not one of an account', async () => {
    const { bob, vera, remote, harness } = fixture
    const name = `@bob@${new URL(harness.origin).host}`
    for (const path of ['/bob', '/profile/bob', '/u/bob', '/ap/users/x'])
      for (const isFetched of [false, true]) {
        const note = fixture.note(vera, {
          tag: { type: 'Mention', href: `${harness.origin}${path}`, name },
          cc: [bob.uri],
        })
        remote.publish(new URL(note.id).pathname, note)
        if (isFetched) await harness.call(search, { q: note.id, resolve: true }, bob)
        else expect(await fixture.sendActivity(vera, 'Create', note)).toBe('done')
        expect([path, (await fixture.shown(note.id))?.mentions.map((one) => one.id)]).toEqual([path, [bob.id]])
      }
    // The address of an account decides over the name.
    const alice = await harness.createAccount('alice')
    for (const href of [alice.uri, `${harness.origin}/@alice`]) {
      const note = fixture.note(vera, { tag: { type: 'Mention', href, name }, cc: [alice.uri] })
      expect(await fixture.sendActivity(vera, 'Create', note)).toBe('done')
      expect((await fixture.shown(note.id))?.mentions.map((one) => one.id)).toEqual([alice.id])
    }
  })

  test('is followed, liked and reported with encoded characters in the address', async () => {
    const { bob, vera, harness, post } = fixture
    for (const address of [
      bob.uri.replace(/\d$/, (digit) => `%3${digit}`),
      `${harness.origin}/%61p${bob.uri.split('/ap')[1]}`,
    ]) {
      expect(await fixture.sendActivity(vera, 'Follow', address)).toBe('done')
      expect(await follows()).toHaveLength(1)
      await fixture.sendActivity(vera, 'Undo', { type: 'Follow', actor: vera.id, object: address })
      expect(await fixture.sendActivity(vera, 'Flag', address, { object: [address], content: 'encoded' })).toBe('done')
    }
    for (const address of [
      post.uri.replace(/\d$/, (digit) => `%3${digit}`),
      pages(post.id)[0]?.replace('bob', 'b%6fb'),
    ]) {
      expect(await fixture.sendActivity(vera, 'Like', address ?? '')).toBe('done')
      expect(await fixture.sendActivity(vera, 'Undo', { type: 'Like', actor: vera.id, object: address })).toBe('done')
    }
  })

  test('is mentioned in a status that is fetched', async () => {
    const tag = { type: 'Mention', href: profiles()[1] }
    const note = fixture.note(fixture.vera, { tag, cc: [fixture.bob.uri] })
    fixture.remote.publish(new URL(note.id).pathname, note)
    await fixture.harness.call(search, { q: note.id, resolve: true }, fixture.bob)
    expect((await fixture.shown(note.id))?.mentions.map((one) => one.id)).toEqual([fixture.bob.id])
  })

  test('is mentioned and notified in each form of an address or handle, fetched alone or in an outbox', async () => {
    const { bob, remote, harness, note } = fixture
    const handle = `@bob@${new URL(harness.origin).host}`
    const fay = await remote.addActor('fay')
    const tags = [
      { type: 'Mention', name: handle },
      { type: 'Mention', href: `${harness.origin}/profile/bob`, name: handle },
      ...profiles().map((href) => ({ type: 'Mention', href })),
    ]
    const embedded = tags.map((tag) => remote.addNote(fay, '<p>hello</p>', { tag }))
    await fixture.follow(bob, fay)
    await harness.waitForIdle()
    const alone = tags.map((tag) => note(fay, { tag }))
    for (const one of alone) {
      remote.publish(new URL(one.id).pathname, one)
      await harness.call(search, { q: one.id, resolve: true }, bob)
    }
    await harness.waitForIdle()
    expect(remote.requests.all.some((it) => it.path === new URL(embedded[0]?.id ?? '').pathname)).toBe(false)
    const notified = await harness.call(listNotifications, { types: ['mention'], limit: 40 }, bob)
    for (const { id, tag } of [...embedded, ...alone] as { id: string; tag: Document }[]) {
      expect([tag, (await fixture.shown(id))?.mentions.map((one) => one.id)]).toEqual([tag, [bob.id]])
      expect([tag, notified.filter((one) => 'status' in one && one.status?.uri === id).length]).toEqual([tag, 1])
    }
  })
})

test('a remote account is mentioned by its handle in a status that is fetched', async () => {
  const { bob, remote, harness, note } = fixture
  const [gil, zoe] = [await remote.addActor('gil'), await remote.addActor('zoe')]
  await fixture.follow(bob, zoe)
  // The address of a server in tests is no domain that a handle may name.
  await harness.db('accounts').run(sql`update accounts set domain = 'zoe.example' where uri = ${zoe.id}`)
  const name = '@Zoe@zoe.example'
  const mentions = [
    { type: 'Mention', name },
    { type: 'Mention', href: 'https://zoe.example/@zoe', name },
  ]
  const embedded = mentions.map((tag) => remote.addNote(gil, '<p>hello</p>', { tag }))
  await fixture.follow(bob, gil)
  const alone = mentions.map((tag) => note(gil, { tag }))
  const boosted = mentions.map((tag) => note(fixture.vera, { tag }))
  for (const one of [...alone, ...boosted]) remote.publish(new URL(one.id).pathname, one)
  for (const one of alone) await harness.call(search, { q: one.id, resolve: true }, bob)
  for (const one of boosted)
    expect(await fixture.sendActivity(fixture.rita, 'Announce', one.id, { to: [PUBLIC] })).toBe('done')
  await harness.waitForIdle()
  for (const one of [...embedded, ...alone, ...boosted] as Document[])
    expect([one.tag, (await fixture.shown(String(one.id)))?.mentions.map((it) => it.username)]).toEqual([
      one.tag,
      ['zoe'],
    ])
  // A handle of another server than that of the page has no effect.
  const other = note(gil, { tag: { type: 'Mention', href: 'https://elsewhere.example/@zoe', name } })
  remote.publish(new URL(other.id).pathname, other)
  await harness.call(search, { q: other.id, resolve: true }, bob)
  expect((await fixture.shown(other.id))?.mentions).toEqual([])
})

test('a local status is liked, reblogged and replied to by its page', async () => {
  for (const page of pages(fixture.post.id)) {
    for (const type of ['Like', 'Announce']) {
      const activity = makeActivity(fixture.vera, type, page, { to: [PUBLIC] })
      expect(await fixture.harness.outcome(fixture.remote, activity, { as: fixture.vera })).toBe('done')
      const undone = await fixture.sendActivity(fixture.vera, 'Undo', {
        id: activity.id,
        type,
        actor: fixture.vera.id,
        object: page,
      })
      expect(undone).toBe('done')
    }
    const reply = fixture.note(fixture.vera, { inReplyTo: page, cc: [fixture.bob.uri] })
    await fixture.sendActivity(fixture.vera, 'Create', reply)
    expect((await fixture.shown(reply.id))?.in_reply_to_id).toBe(fixture.post.id)
    // It addresses no local account, so only the page makes it concern this server.
    const unordered = fixture.note(fixture.vera, { inReplyTo: page })
    expect(await fixture.sendActivity(fixture.vera, 'Create', unordered)).toBe('done')
    expect((await fixture.shown(unordered.id))?.in_reply_to_id).toBe(fixture.post.id)
  }
})

test('a local account and a local status are reported by their pages', async () => {
  const [profile] = profiles()
  const [page] = pages(fixture.post.id)
  expect(
    await fixture.sendActivity(fixture.vera, 'Flag', profile ?? '', { object: [profile, page], content: 'by page' }),
  ).toBe('done')
  const sent = await fixture.harness
    .db('federation')
    .row<{ data: string }>(
      sql`select data from outbox where subject = ${flagReceived.subject} order by id desc limit 1`,
    )
  expect(JSON.parse(sent?.data ?? '{}')).toMatchObject({ target: fixture.bob.id, statusUris: [fixture.post.uri] })
})

/** Forms of bob's Follow in the Accept or Reject of it. */
const copies: Record<string, (asked: { id: string; page: string }) => Document> = {
  'the pages of both sides': ({ page }) => ({ type: 'Follow', actor: `${fixture.harness.origin}/@bob`, object: page }),
  'its id and type': ({ id }) => ({ type: 'Follow', id }),
  'its actor only': () => ({ type: 'Follow', actor: fixture.bob.uri }),
}
let asked = 0
test.each(Object.keys(copies))('a local Follow is accepted and rejected with %s', async (copy) => {
  const { harness, remote, bob } = fixture
  for (const type of ['Accept', 'Reject']) {
    const whom = await remote.addActor(`asked${++asked}`)
    const page = `${remote.origin}/@${whom.name}`
    Object.assign(whom.document, { url: page })
    await harness.outcome(remote, makeActivity(whom, 'Like', `${harness.origin}/x`), { as: whom })
    const account = await harness.account(whom.id)
    await harness.call(createFollow, { id: account?.id ?? '' }, bob)
    await harness.waitForIdle()
    const rows = (table: 'follows' | 'follow_requests') =>
      harness
        .db('accounts')
        .rows<{ uri: string }>(
          sql`select uri from ${name(table)} where account_id = ${bob.id} and target_id = ${account?.id}`,
        )
    const [request] = await rows('follow_requests')
    expect(await fixture.sendActivity(whom, type, copies[copy]?.({ id: request?.uri ?? '', page }) ?? {})).toBe('done')
    expect(await rows('follow_requests')).toHaveLength(0)
    expect(await rows('follows')).toHaveLength(type === 'Accept' ? 1 : 0)
  }
})

describe('an Undo contains the activity as it was received, with an id on this server and an object without id', () => {
  test.each(['ids', 'pages'])('the Accept of a Follow, with accounts by their %s', async (form) => {
    const { harness, remote, bob } = fixture
    const whom = await remote.addActor(`asked${++asked}`)
    await harness.outcome(remote, makeActivity(whom, 'Like', `${harness.origin}/x`), { as: whom })
    const account = await harness.account(whom.id)
    await harness.call(createFollow, { id: account?.id ?? '' }, bob)
    await harness.waitForIdle()
    const followed = () =>
      harness
        .db('accounts')
        .rows(sql`select 1 from follows where account_id = ${bob.id} and target_id = ${account?.id}`)
    const [actor, object] = form === 'ids' ? [bob.uri, whom.id] : [(await harness.account(bob.uri))?.url, account?.url]
    const accept = makeActivity(whom, 'Accept', { type: 'Follow', actor, object }, { id: `${bob.uri}#accept` })
    expect((await harness.deliver(remote, accept, { as: whom })).status).toBe(202)
    await harness.waitForIdle()
    expect(await followed()).toHaveLength(1)
    expect(await fixture.sendActivity(whom, 'Undo', accept)).toBe('done')
    expect(await followed()).toHaveLength(0)
  })

  test.each(['Like', 'Announce'])('the %s of a status that is named by its page', async (type) => {
    const { harness, remote, bob, post, vera } = fixture
    const [url] = pages(post.id)
    const counts = async () => {
      await harness.waitForIdle()
      const { favourites_count, reblogs_count } = await harness.call(showStatus, { id: post.id }, bob)
      return favourites_count + reblogs_count
    }
    const before = await counts()
    const more = { id: `${harness.origin}/x#${type}`, to: [PUBLIC], cc: [vera.followers] }
    const activity = makeActivity(vera, type, { type: 'Note', url } as never, more)
    expect((await harness.deliver(remote, activity, { as: vera })).status).toBe(202)
    expect(await counts()).toBe(before + 1)
    expect(await fixture.sendActivity(vera, 'Undo', activity)).toBe('done')
    expect(await counts()).toBe(before)
  })
})

describe.each(['/@NAME', '/author/NAME/', '/people/7/NAME.html'])('a known account at the page %s', (form) => {
  let count = 0
  /** A known account whose handle has another domain than its actor, and its page, which no server answers. */
  const known = async () => {
    const { harness, remote } = fixture
    const who = await remote.addActor(`split${++count}_${form.length}`)
    const page = `${remote.origin}${form.replace('NAME', who.name)}`
    Object.assign(who.document, { url: page })
    await harness.outcome(remote, makeActivity(who, 'Like', `${harness.origin}/x`), { as: who })
    await harness.db('accounts').run(sql`update accounts set domain = 'far.example' where uri = ${who.id}`)
    return { who, page, id: (await harness.account(who.id))?.id ?? '' }
  }
  const requests = (page: string) => fixture.remote.requests.all.filter(({ path }) => path === new URL(page).pathname)

  test.each(['Accept', 'Reject'])('answers a Follow with %s', async (type) => {
    const { harness, bob } = fixture
    const { who, page, id } = await known()
    await harness.call(createFollow, { id }, bob)
    await harness.waitForIdle()
    expect(await fixture.sendActivity(who, type, { type: 'Follow', actor: bob.uri, object: page })).toBe('done')
    const followed = await harness
      .db('accounts')
      .rows(sql`select 1 from follows where account_id = ${bob.id} and target_id = ${id}`)
    expect(followed).toHaveLength(type === 'Accept' ? 1 : 0)
  })

  test('takes back a Follow, and is the actor of activities', async () => {
    const { harness, bob } = fixture
    const { who, page, id } = await known()
    const followed = () =>
      harness.db('accounts').rows(sql`select 1 from follows where account_id = ${id} and target_id = ${bob.id}`)
    expect(await fixture.sendActivity(who, 'Follow', bob.uri, { actor: page })).toBe('done')
    expect(await followed()).toHaveLength(1)
    const inner = { type: 'Follow', actor: page, object: bob.uri }
    expect(await fixture.sendActivity(who, 'Undo', inner, { actor: page })).toBe('done')
    expect(await followed()).toHaveLength(0)
  })

  test('is mentioned and addressed, without a request', async () => {
    const { who, page, id } = await known()
    for (const names of [
      { tag: { type: 'Mention', href: page } },
      { tag: { type: 'Mention', href: page }, cc: [page] },
      { tag: { type: 'Mention', href: page }, to: [PUBLIC, who.id], cc: [] },
    ]) {
      const note = fixture.note(fixture.vera, { inReplyTo: fixture.post.uri, ...names })
      expect(await fixture.sendActivity(fixture.vera, 'Create', note)).toBe('done')
      expect((await fixture.shown(note.id))?.mentions.map((one) => one.id)).toEqual([id])
    }
    expect(requests(page)).toEqual([])
  })

  test('moves, with an alias and both sides named by pages', async () => {
    const { harness, bob } = fixture
    const [old, home] = [await known(), await known()]
    Object.assign(home.who.document, { alsoKnownAs: [old.page] })
    Object.assign(old.who.document, { movedTo: home.page })
    await harness.call(createFollow, { id: old.id }, bob)
    await harness.waitForIdle()
    expect(await fixture.sendActivity(old.who, 'Move', old.page, { target: home.page })).toBe('done')
    expect((await harness.account(old.who.id))?.moved_to_id).toBe(home.id)
  })
})

test('an actor may be named by another address of its document in the copy of a Follow, and in a Move', async () => {
  const { harness, remote, bob, vera } = fixture
  const [who, home] = [await remote.addActor('numbered'), await remote.addActor('numbered_home')]
  const other = `${remote.origin}/people/numbered`
  remote.publish('/people/numbered', who.document)
  Object.assign(home.document, { alsoKnownAs: [who.id] })
  await fixture.follow(bob, who)
  const id = (await harness.account(who.id))?.id ?? ''
  const followed = (from: string, to: string) =>
    harness.db('accounts').rows(sql`select 1 from follows where account_id = ${from} and target_id = ${to}`)
  expect(await fixture.sendActivity(who, 'Reject', { type: 'Follow', actor: bob.uri, object: other })).toBe('done')
  expect(await followed(bob.id, id)).toHaveLength(0)
  expect(await fixture.sendActivity(who, 'Follow', bob.uri)).toBe('done')
  // The address is not one of vera.
  const inner = { type: 'Follow', actor: other, object: bob.uri }
  expect(await fixture.sendActivity(vera, 'Undo', inner)).toMatch('not-yours')
  expect(await followed(id, bob.id)).toHaveLength(1)
  expect(await fixture.sendActivity(who, 'Undo', inner)).toBe('done')
  expect(await followed(id, bob.id)).toHaveLength(0)
  await fixture.follow(bob, who)
  Object.assign(who.document, { movedTo: home.id })
  expect(await fixture.sendActivity(who, 'Move', other, { target: home.id })).toBe('done')
  expect((await harness.account(who.id))?.moved_to_id).toBe((await harness.account(home.id))?.id)
})

test.each(['id', 'page'])('a Move may name both accounts by their pages, and the alias by the %s', async (form) => {
  const { harness, remote } = fixture
  const [old, home] = [await remote.addActor(`old-${form}`), await remote.addActor(`home-${form}`)]
  for (const who of [old, home]) Object.assign(who.document, { url: `${remote.origin}/@${who.name}` })
  Object.assign(home.document, { alsoKnownAs: [form === 'id' ? old.id : `${remote.origin}/@${old.name}`] })
  await fixture.follow(fixture.bob, old)
  for (const who of [old, home])
    await harness.outcome(remote, makeActivity(who, 'Like', `${harness.origin}/x`), { as: who })
  Object.assign(old.document, { movedTo: home.id })
  const [from, to] = [old, home].map((who) => `${remote.origin}/@${who.name}`)
  expect(await fixture.sendActivity(old, 'Move', from ?? '', { target: to })).toBe('done')
  expect((await harness.account(old.id))?.moved_to_id).toBe((await harness.account(home.id))?.id)
})

test('a Move may name an unknown account by a page that only its server can resolve', async () => {
  const { harness, remote, bob } = fixture
  const [old, home] = [await remote.addActor('old-author'), await remote.addActor('home-author')]
  const page = `${remote.origin}/author/home/`
  Object.assign(home.document, { url: page, alsoKnownAs: [old.id] })
  remote.publish('/author/home/', home.document)
  await fixture.follow(bob, old)
  Object.assign(old.document, { movedTo: page })
  expect(await fixture.sendActivity(old, 'Move', old.id, { target: page })).toBe('done')
  expect((await harness.account(old.id))?.moved_to_id).toBe((await harness.account(home.id))?.id)
})

test.each([true, false])('a profile may name its new account by the page, known before: %s', async (isFirst) => {
  const { harness, remote } = fixture
  const [old, home] = [await remote.addActor(`left-${isFirst}`), await remote.addActor(`came-${isFirst}`)]
  Object.assign(old.document, { movedTo: `${remote.origin}/@${home.name}` })
  const known = (who: typeof old) =>
    harness.outcome(remote, makeActivity(who, 'Like', `${harness.origin}/x`), { as: who })
  for (const who of isFirst ? [home, old] : [old, home]) await known(who)
  const { id } = (await harness.account(home.id)) ?? {}
  expect((await harness.account(old.id))?.moved_to_id).toBe(id)
  await fixture.sendActivity(old, 'Update', old.document)
  expect((await harness.account(old.id))?.moved_to_id).toBe(id)
})

test('a profile is fetched again after an Update that names only an address of it', async () => {
  const { harness, remote, bob, vera } = fixture
  const who = await remote.addActor('renamed')
  const page = `${remote.origin}/@renamed`
  Object.assign(who.document, { url: page })
  await fixture.follow(bob, who)
  remote.publish('/people/renamed', who.document)
  for (const [address, name] of [
    [page, 'First'],
    [`${remote.origin}/people/renamed`, 'Second'],
  ] as const) {
    Object.assign(who.document, { name })
    expect(await fixture.sendActivity(vera, 'Update', address)).toMatch(/^refused/)
    expect((await harness.account(who.id))?.display_name).not.toBe(name)
    expect(await fixture.sendActivity(who, 'Update', address)).toBe('done')
    expect((await harness.account(who.id))?.display_name).toBe(name)
  }
})

test('a QuoteRequest and its quoting status may name the quoted status by its id or its page', async () => {
  const { post, vera } = fixture
  const names = [post.uri, ...pages(post.id)]
  for (const object of names)
    for (const quote of names)
      expect(
        await fixture.sendActivity(vera, 'QuoteRequest', object, { instrument: fixture.note(vera, { quote }) }),
      ).toBe('done')
  const other = fixture.note(vera, { quote: `${fixture.harness.origin}/@bob/1` })
  expect(await fixture.sendActivity(vera, 'QuoteRequest', post.uri, { instrument: other })).toBe(
    'refused quotes-another',
  )
})

test('an account is found by its address in a web client on this server', async () => {
  const { remote, harness, bob } = fixture
  const webby = await remote.addActor('webby')
  await harness.outcome(remote, makeActivity(webby, 'Like', `${harness.origin}/x`), { as: webby })
  // Handles in addresses have no port.
  await harness.db('accounts').run(sql`update accounts set domain = 'far.example' where uri = ${webby.id}`)
  for (const path of ['@webby@far.example', 'web/@Webby@far.example/', '@webby%40far.example']) {
    const { accounts } = await harness.call(search, { q: `${harness.origin}/${path}`, resolve: true }, bob)
    expect(accounts.map((one) => one.uri)).toEqual([webby.id])
  }
})

/** A status of vera whose page is not its id. Both addresses return the document. */
const paged = (extra: Document = {}) => {
  const note = fixture.note(fixture.vera, extra)
  const url = `${fixture.remote.origin}/p/vera/${note.id.split('/').at(-1)}`
  const document = { ...note, url }
  fixture.remote.publish(new URL(note.id).pathname, document)
  fixture.remote.publish(new URL(url).pathname, document)
  return { ...document, url }
}

describe('a remote status, by its page', () => {
  test('is reblogged, whether stored or not', async () => {
    for (const isKnown of [false, true]) {
      const note = paged({ cc: [fixture.bob.uri], tag: { type: 'Mention', href: fixture.bob.uri } })
      if (isKnown) await fixture.sendActivity(fixture.vera, 'Create', note)
      const boost = makeActivity(fixture.rita, 'Announce', note.url, { to: [PUBLIC] })
      expect(await fixture.harness.outcome(fixture.remote, boost, { as: fixture.rita })).toBe('done')
      const rita = await fixture.harness.account(fixture.rita.id)
      const [first] = await fixture.harness.call(accountTimeline, { id: rita?.id ?? '' }, fixture.bob)
      expect(first?.reblog?.uri).toBe(note.id)
    }
  })

  test('is no longer reblogged after an Undo by an address that only its server resolves', async () => {
    const { harness, remote, rita, bob, post } = fixture
    const account = (await harness.account(rita.id))?.id ?? ''
    const deliver = async (activity: Document) => {
      expect((await harness.deliver(remote, activity, { as: rita })).status).toBe(202)
      await harness.waitForIdle()
    }
    const reblogged = async () =>
      (await harness.call(accountTimeline, { id: account }, bob)).flatMap((one) => one.reblog?.uri ?? [])
    const note = paged()
    const [far, here] = [`${remote.origin}/go/far`, `${remote.origin}/go/here`]
    remote.publish('/go/far', note)
    remote.behave({ kind: 'redirect', to: post.uri }, { path: '/go/here' })
    for (const [address, uri] of [
      [far, note.id],
      [here, post.uri],
    ] as const) {
      const announce = makeActivity(rita, 'Announce', address, { to: [PUBLIC] })
      const { id: _, ...withoutId } = announce
      for (const [sent, undone] of [
        [announce, withoutId],
        [{ ...announce, id: `urn:uuid:${address.length}` }, withoutId],
      ] as const) {
        await deliver(sent)
        expect(await reblogged()).toContain(uri)
        await deliver(makeActivity(rita, 'Undo', undone))
        expect(await reblogged()).not.toContain(uri)
      }
    }
  })

  test('is not requested for the Undo of an Announce with an id', async () => {
    const { remote, rita } = fixture
    const note = paged()
    const announce = makeActivity(rita, 'Announce', note.id, { to: [PUBLIC] })
    expect(await fixture.sendActivity(rita, 'Undo', announce)).toBe('done unchanged')
    expect(remote.requests.all.filter((it) => it.path === new URL(note.id).pathname)).toEqual([])
  })

  test('is pinned, unpinned and deleted', async () => {
    const { rita, remote, harness } = fixture
    const featured = `${rita.id}/collections/featured`
    Object.assign(rita.document, { featured })
    await fixture.sendActivity(rita, 'Update', rita.document)
    const note = fixture.note(rita)
    const page = `${remote.origin}/p/rita/${note.id.split('/').at(-1)}`
    await fixture.sendActivity(rita, 'Create', { ...note, url: page })
    const account = (await harness.account(rita.id))?.id ?? ''
    const pinned = async () => {
      await harness.waitForIdle()
      return (await harness.call(accountTimeline, { id: account, pinned: true }, fixture.bob)).map((one) => one.uri)
    }
    expect(await fixture.sendActivity(rita, 'Add', page, { target: featured })).toBe('done')
    expect(await pinned()).toEqual([note.id])
    expect(await fixture.sendActivity(rita, 'Remove', page, { target: featured })).toBe('done')
    expect(await pinned()).toEqual([])
    expect(await fixture.sendActivity(rita, 'Delete', page)).toBe('done')
    expect(await fixture.shown(note.id)).toBeNull()
  })

  test('is edited by an Update that names only an address of it', async () => {
    const { harness, remote, vera } = fixture
    const published = new Date(Date.now() - 3 * 86_400_000).toISOString()
    for (const isOld of [false, true])
      for (const isStatedPage of [true, false]) {
        const note = paged({ ...(isOld && { published }), cc: [fixture.bob.uri] })
        expect(await fixture.sendActivity(vera, 'Create', note)).toBe('done')
        const edit = { ...note, content: '<p>edited</p>', updated: new Date().toISOString() }
        const other = `${remote.origin}/go/${note.id.split('/').at(-1)}`
        for (const address of [note.id, note.url, other]) remote.publish(new URL(address).pathname, edit)
        const address = isStatedPage ? note.url : other
        expect([isOld, isStatedPage, await fixture.sendActivity(vera, 'Update', address)]).toEqual([
          isOld,
          isStatedPage,
          'done edited',
        ])
        expect((await fixture.shown(note.id))?.content).toBe('<p>edited</p>')
        // The status of another account cannot be edited by its address.
        expect(await fixture.sendActivity(fixture.rita, 'Update', address)).toMatch(/^refused/)
      }
    await harness.waitForIdle()
  })

  test('is edited by an Update that names another stored status, whose document now has the id of this one', async () => {
    const { vera } = fixture
    const [named, note] = [paged({ cc: [fixture.bob.uri] }), paged({ cc: [fixture.bob.uri] })]
    for (const one of [named, note]) expect(await fixture.sendActivity(vera, 'Create', one)).toBe('done')
    const edit = { ...note, content: '<p>edited</p>', updated: new Date().toISOString() }
    for (const address of [named.id, note.id]) fixture.remote.publish(new URL(address).pathname, edit)
    expect(await fixture.sendActivity(vera, 'Update', named.id)).toBe('done edited')
    expect((await fixture.shown(note.id))?.content).toBe('<p>edited</p>')
    expect((await fixture.shown(named.id))?.content).not.toBe('<p>edited</p>')
  })

  test('has its replies, in any order of arrival', async () => {
    for (const isFirst of [true, false]) {
      const note = paged({ cc: [fixture.bob.uri], tag: { type: 'Mention', href: fixture.bob.uri } })
      if (isFirst) await fixture.sendActivity(fixture.vera, 'Create', note)
      const reply = fixture.note(fixture.rita, { inReplyTo: note.url })
      await fixture.sendActivity(fixture.rita, 'Create', reply)
      await fixture.harness.waitForIdle()
      const parent = await recordOf(note.id)
      const thread = await fixture.harness.call(showThread, { id: parent?.id ?? '' }, fixture.bob)
      expect(thread.descendants.map((one) => one.uri)).toEqual([reply.id])
    }
  })
})

test('an address whose document has an id on another host is resolved there', async () => {
  const other = await fixture.harness.server()
  const note = paged()
  other.publish('/bridged/1', note)
  await fixture.harness.call(search, { q: `${other.origin}/bridged/1`, resolve: true }, fixture.bob)
  expect(await recordOf(note.id)).toBeDefined()
  other.publish('/bridged/2', { ...note, id: `${fixture.remote.origin}/nothing` })
  const found = await fixture.harness.call(search, { q: `${other.origin}/bridged/2`, resolve: true }, fixture.bob)
  expect(found.statuses).toEqual([])
})

describe('an account at an address that leads to another host', () => {
  const find = async (q: string) =>
    (await fixture.harness.call(search, { q, resolve: true }, fixture.bob)).accounts.map((one) => one.uri)
  test.each(['/bridged/actor', '/@moved'])('is found by the id of its document, at %s', async (path) => {
    const [home, other] = [await fixture.harness.server(), await fixture.harness.server()]
    const actor = await home.addActor('moved')
    other.publish(path, { ...actor.document, name: 'forged' })
    expect(await find(`${other.origin}${path}`)).toEqual([actor.id])
    expect((await fixture.harness.account(actor.id))?.display_name).not.toBe('forged')
  })
  test.each(['/old', '/@moved'])('is found by a redirect of %s', async (path) => {
    const [home, other] = [await fixture.harness.server(), await fixture.harness.server()]
    const actor = await home.addActor('moved')
    other.behave({ kind: 'redirect', to: actor.id }, { path })
    expect(await find(`${other.origin}${path}`)).toEqual([actor.id])
  })
  test('is not found if its id returns another document', async () => {
    const [home, other] = [await fixture.harness.server(), await fixture.harness.server()]
    const actor = await home.addActor('moved')
    other.publish('/old', { ...actor.document, id: `${home.origin}/nothing` })
    expect(await find(`${other.origin}/old`)).toEqual([])
  })
})

/** Forms in which the address `path` of a server leads to the address `to`. */
const leads: Record<string, (server: RemoteServer, path: string, to: string) => void> = {
  redirect: (server, path, to) => void server.behave({ kind: 'redirect', to }, { path }),
  id: (server, path, to) =>
    server.publish(path, {
      ...fixture.note(fixture.vera),
      id: to,
      content: '<p>forged</p>',
      attributedTo: server.origin,
    }),
  alternate: (server, path, to) => {
    const link = `<${to}>; rel="alternate"; type="application/activity+json"`
    const headers = { 'content-type': 'text/html', link }
    server.behave({ kind: 'status', status: 200, headers, body: '<html></html>' }, { path })
  },
}

test.each(Object.keys(leads))(
  'a move may name an unknown account by an address that leads to it by %s',
  async (form) => {
    const { harness, remote, bob } = fixture
    const [server, other] = [await harness.server(), await harness.server()]
    const movedTo = async (name: string) => {
      const [old, home] = [await remote.addActor(`${name}-${form}`), await server.addActor(`${name}-${form}-home`)]
      Object.assign(home.document, { alsoKnownAs: [old.id] })
      leads[form]?.(other, `/@${name}`, home.id)
      return { old, home, address: `${other.origin}/@${name}` }
    }
    const [sent, stated] = [await movedTo('sent'), await movedTo('stated')]
    await fixture.follow(bob, sent.old)
    Object.assign(sent.old.document, { movedTo: sent.address })
    expect(await fixture.sendActivity(sent.old, 'Move', sent.old.id, { target: sent.address })).toBe('done')
    Object.assign(stated.old.document, { movedTo: stated.address })
    await harness.outcome(remote, makeActivity(stated.old, 'Like', `${harness.origin}/x`), { as: stated.old })
    await harness.waitForIdle()
    for (const { old, home } of [sent, stated]) {
      const id = (await harness.account(home.id))?.id
      expect(id).toBeDefined()
      expect((await harness.account(old.id))?.moved_to_id).toBe(id)
      // The address is not requested again.
      other.behave({ kind: 'status', status: 500 }, {})
      Object.assign(old.document, { name: 'Away' })
      expect(await fixture.sendActivity(old, 'Update', old.document)).toBe('done')
      expect(await harness.account(old.id)).toMatchObject({ display_name: 'Away', moved_to_id: id })
    }
  },
)

test.each(Object.keys(leads))(
  'a move may name a local account by an address of another server that leads to it by %s',
  async (form) => {
    const { harness, remote, bob } = fixture
    const [home, other] = [await harness.createAccount(`home${form}`), await harness.server()]
    const [sent, stated] = [await remote.addActor(`sent-here-${form}`), await remote.addActor(`stated-here-${form}`)]
    const address = `${other.origin}/@${form}`
    leads[form]?.(other, `/@${form}`, form === 'id' ? home.uri : `${harness.origin}/@home${form}`)
    await fixture.follow(bob, sent)
    for (const old of [sent, stated]) Object.assign(old.document, { movedTo: address })
    expect(await fixture.sendActivity(sent, 'Move', sent.id, { target: address })).toBe('refused no-alias')
    await harness
      .db('accounts')
      .run(sql`update accounts set also_known_as = array[${sent.id}]::text[] where id = ${home.id}`)
    expect(await fixture.sendActivity(sent, 'Move', sent.id, { target: address })).toBe('done')
    await harness.outcome(remote, makeActivity(stated, 'Like', `${harness.origin}/x`), { as: stated })
    await harness.waitForIdle()
    for (const old of [sent, stated]) expect((await harness.account(old.id))?.moved_to_id).toBe(home.id)
    for (const old of [sent, stated]) expect(await fixture.sendActivity(old, 'Update', old.document)).toBe('done')
    for (const old of [sent, stated]) expect((await harness.account(old.id))?.moved_to_id).toBe(home.id)
    const followed = await harness
      .db('accounts')
      .rows(sql`select 1 from follows where account_id = ${bob.id} and target_id = ${home.id}`)
    expect(followed).toHaveLength(1)
  },
)

describe.each(Object.keys(leads))('an address of another server that leads to this one by %s', (form) => {
  let other: RemoteServer
  beforeAll(async () => {
    other = await fixture.harness.server()
  })
  let count = 0
  const find = async (folder: string, to: string) => {
    const path = `${folder}/${++count}`
    leads[form]?.(other, path, to)
    const found = await fixture.harness.call(search, { q: `${other.origin}${path}`, resolve: true }, fixture.bob)
    return [found.statuses, found.accounts].map((list) => list.map((one) => one.uri))
  }

  test('finds the local status', async () => {
    const { post } = fixture
    for (const to of [post.uri, ...pages(post.id)])
      expect([to, await find('/notes', to)]).toEqual([to, [[post.uri], []]])
  })

  test('finds the local account', async () => {
    const { bob } = fixture
    for (const to of [bob.uri, ...profiles()]) expect([to, await find('/users', to)]).toEqual([to, [[], [bob.uri]]])
  })

  test('finds the local collection of accounts', async () => {
    const { harness, bob } = fixture
    const { collection } = await harness.call(createCollection, { name: `Birds ${form}` } as never, bob)
    const [record] = (await harness.call(collectionRecords, { ids: [collection.id] })).records
    for (const to of [record?.uri ?? '', collection.url ?? '', `${collection.url}?x=1`]) {
      const path = `/collections/${++count}`
      leads[form]?.(other, path, to)
      const { collections } = await harness.call(search, { q: `${other.origin}${path}`, resolve: true }, bob)
      expect([to, collections.map((one) => one.id)]).toEqual([to, [collection.id]])
    }
  })

  test('does not find a status that the viewer may not see', async () => {
    const carol = await fixture.harness.createAccount(`carol${form}`)
    const hidden = await fixture.write({ status: 'hidden', visibility: 'private' }, carol)
    expect(await find('/notes', hidden.uri)).toEqual([[], []])
    expect(await find('/notes', `${fixture.harness.origin}/nothing`)).toEqual([[], []])
  })
})

test('a pasted address may begin in upper case, as keyboards of phones write it', async () => {
  const note = paged()
  const q = note.id.replace(/^http/, 'Http')
  const found = await fixture.harness.call(search, { q, resolve: true }, fixture.bob)
  expect(found.statuses.map((one) => one.uri)).toEqual([note.id])
  const actor = await fixture.remote.addActor('pasted')
  const accounts = (
    await fixture.harness.call(
      search,
      { q: actor.id.toUpperCase().replace(/\/USERS.*/, '/users/pasted'), resolve: true },
      fixture.bob,
    )
  ).accounts
  expect(accounts.map((one) => one.uri)).toEqual([actor.id])
})

test('a status whose id has a fragment is fetched without the fragment', async () => {
  const note = fixture.note(fixture.vera, { id: `${fixture.remote.origin}/feed/1#item1` })
  fixture.remote.publish('/feed/1', note)
  await fixture.harness.call(search, { q: note.id, resolve: true }, fixture.bob)
  expect(await recordOf(note.id)).toBeDefined()
})

test('a status whose id has a fragment is found in the document that embeds it', async () => {
  const { origin } = fixture.remote
  const note = (id: string) => ({ ...fixture.note(fixture.vera, { id: `${origin}${id}` }), '@context': undefined })
  const context = 'https://www.w3.org/ns/activitystreams'
  const holders: Record<string, (items: Document[]) => Document> = {
    collection: (orderedItems) => ({ type: 'OrderedCollection', orderedItems }),
    page: (items) => ({ type: 'Collection', first: { type: 'CollectionPage', items } }),
    create: ([object]) => ({ type: 'Create', actor: fixture.vera.id, object, to: [PUBLIC] }),
    outbox: (items) => ({
      type: 'OrderedCollection',
      orderedItems: items.map((object) => ({ type: 'Create', actor: fixture.vera.id, object, to: [PUBLIC] })),
    }),
  }
  for (const [name, holder] of Object.entries(holders)) {
    const items = [note(`/parts/${name}#1`), note(`/parts/${name}#2`), note('/parts/other#1')]
    fixture.remote.publish(`/parts/${name}`, { '@context': context, id: `${origin}/parts/${name}`, ...holder(items) })
    for (const { id } of items.slice(0, name === 'create' ? 1 : 2)) {
      await fixture.harness.call(search, { q: id, resolve: true }, fixture.bob)
      expect((await recordOf(id))?.uri).toBe(id)
    }
    await fixture.harness.call(search, { q: `${origin}/parts/${name}#3`, resolve: true }, fixture.bob)
    expect(await recordOf(`${origin}/parts/${name}#3`)).toBeUndefined()
  }
  // A document proves only ids at its own address.
  expect(await recordOf(`${origin}/parts/other#1`)).toBeUndefined()
})

test('a status whose id has a fragment is found in a document without an id, and among replies', async () => {
  const { remote, vera, harness, bob } = fixture
  const part = (id: string) => ({ ...fixture.note(vera, { id: `${remote.origin}${id}` }), '@context': undefined })
  const [item, reply] = [part('/anonymous/1#1'), part('/replied/1#1')]
  const collection = { '@context': 'https://www.w3.org/ns/activitystreams', type: 'OrderedCollection' }
  remote.publish('/anonymous/1', { ...collection, orderedItems: [item] })
  const replies = { type: 'Collection', first: { type: 'CollectionPage', items: [reply] } }
  remote.publish('/replied/1', fixture.note(vera, { id: `${remote.origin}/replied/1`, replies }))
  for (const { id } of [item, reply]) {
    await harness.call(search, { q: id, resolve: true }, bob)
    expect((await recordOf(id))?.uri).toBe(id)
  }
  // Another server may not state the part in a document without an id.
  const other = await harness.server()
  const moved = part('/anonymous/2#1')
  other.publish('/anonymous/2', { ...collection, orderedItems: [moved] })
  remote.behave({ kind: 'redirect', to: `${other.origin}/anonymous/2` }, { path: '/anonymous/2' })
  await harness.call(search, { q: moved.id, resolve: true }, bob)
  expect(await recordOf(moved.id)).toBeUndefined()
})

test('a pin of an address with a fragment does not count for the document that contains it', async () => {
  const { remote, harness, bob } = fixture
  const who = await remote.addActor('pinner')
  const featured = `${who.id}/featured`
  Object.assign(who.document, { featured })
  await fixture.follow(bob, who)
  const part = { ...fixture.note(who, { id: `${remote.origin}/pinned/1#2` }), '@context': undefined }
  const whole = fixture.note(who, { id: `${remote.origin}/pinned/1`, replies: { type: 'Collection', items: [part] } })
  remote.publish('/pinned/1', whole)
  const add = (address: string) => fixture.sendActivity(who, 'Add', address, { target: featured })
  expect(await add(`${whole.id}#3`)).toBe('ignored unknown-object')
  expect(await recordOf(whole.id)).toBeUndefined()
  expect(await add(part.id)).toBe('done')
  const id = (await harness.account(who.id))?.id ?? ''
  const pinned = await harness.call(accountTimeline, { id, pinned: true }, bob)
  expect(pinned.map((one) => one.uri)).toEqual([part.id])
})

test('a boost or quote of an address with a fragment does not count for the document that contains it', async () => {
  const { remote, vera, rita, harness, bob } = fixture
  const reply = { ...fixture.note(vera, { id: `${remote.origin}/thread/1#2` }), '@context': undefined }
  const whole = fixture.note(vera, { id: `${remote.origin}/thread/1`, replies: { type: 'Collection', items: [reply] } })
  remote.publish('/thread/1', whole)
  const boost = (address: string) => fixture.sendActivity(rita, 'Announce', address, { to: [PUBLIC] })
  expect(await boost(`${whole.id}#3`)).toBe('ignored unknown-object')
  expect(await recordOf(whole.id)).toBeUndefined()
  expect(await boost(reply.id)).toBe('done')
  const account = (await harness.account(rita.id))?.id ?? ''
  const [first] = await harness.call(accountTimeline, { id: account }, bob)
  expect(first?.reblog?.uri).toBe(reply.id)

  const quote = fixture.note(rita, { quote: `${whole.id}#3`, quoteAuthorization: `${remote.origin}/stamps/1` })
  expect(await fixture.sendActivity(rita, 'Create', quote)).toBe('done')
  await harness.waitForIdle()
  expect(remote.requests.all.filter(({ path }) => path === '/thread/1')).not.toEqual([])
  expect(await recordOf(whole.id)).toBeUndefined()
})

test('a Delete under the id of the Create counts', async () => {
  const { remote, rita, vera, harness } = fixture
  for (const suffix of ['', '#it']) {
    const note = fixture.note(rita)
    const id = `${note.id}${suffix}`
    expect(await harness.outcome(remote, { ...makeActivity(rita, 'Create', note), id }, { as: rita })).toBe('done')
    await harness.outcome(remote, { ...makeActivity(vera, 'Delete', note.id), id }, { as: vera })
    expect(await fixture.shown(note.id)).not.toBeNull()
    await harness.outcome(remote, { ...makeActivity(rita, 'Delete', note.id), id }, { as: rita })
    expect(await fixture.shown(note.id)).toBeNull()
  }
})

test('Creates, Updates and Deletes of different objects count under one id', async () => {
  const { remote, rita, harness } = fixture
  const notes = [fixture.note(rita), fixture.note(rita), fixture.note(rita)]
  /** Sends one activity for each status at the same time. */
  const send = async (type: string, objects: readonly (Document | string)[]) => {
    const activities = objects.map((object) => ({ ...makeActivity(rita, type, object), id: `${rita.id}#${type}` }))
    await Promise.all(activities.map((one) => harness.deliver(remote, one, { as: rita })))
    await harness.waitForIdle()
    return Promise.all(notes.map(async ({ id }) => (await fixture.shown(id))?.content ?? null))
  }
  const texts = notes.map((note) => note.content)
  expect(await send('Create', notes)).toEqual(texts)
  const updated = new Date().toISOString()
  const edits = notes.map((note) => ({ ...note, content: '<p>edited</p>', updated }))
  expect(await send('Update', edits)).toEqual(notes.map(() => '<p>edited</p>'))
  expect(
    await send(
      'Delete',
      notes.map((note) => note.id),
    ),
  ).toEqual(notes.map(() => null))
})

describe('an id without an origin', () => {
  test.each([undefined, '', 'tag:a,2026:1', 'urn:uuid:6f1', 'OURS#boost'])(
    '(%j) counts as absent in Announce and its Undo',
    async (spelled) => {
      const { bob, post, remote, vera, harness } = fixture
      const id = spelled?.replace('OURS', post.uri)
      const boosts = async () => {
        await harness.waitForIdle()
        return (await harness.call(showStatus, { id: post.id }, bob)).reblogs_count
      }
      const { id: _, ...bare } = makeActivity(vera, 'Announce', post.uri, { to: [PUBLIC], cc: [vera.followers] })
      const announce = id === undefined ? bare : { ...bare, id }
      for (let times = 0; times < 2; times++) {
        expect((await harness.deliver(remote, announce, { as: vera })).status).toBe(202)
        expect(await boosts()).toBe(1)
      }
      await harness.deliver(remote, makeActivity(vera, 'Undo', announce), { as: vera })
      expect(await boosts()).toBe(0)
      await harness.deliver(remote, { ...announce, published: new Date().toISOString() }, { as: vera })
      expect(await boosts()).toBe(1)
      await harness.deliver(remote, makeActivity(vera, 'Undo', { type: 'Announce', object: post.uri }), { as: vera })
      expect(await boosts()).toBe(0)
    },
  )
  test.each(['', 'tag:a,2026:1', 'urn:uuid:6f1', 'OURS#accept', 'OTHER_SCHEME/f/1'])(
    '(%j) counts as absent in Follow, Like and Undo',
    async (spelled) => {
      const otherScheme = fixture.remote.origin.replace(/^https?/, (it) => (it === 'http' ? 'https' : 'http'))
      const id = spelled.replace('OURS', fixture.bob.uri).replace('OTHER_SCHEME', otherScheme)
      const follow = makeActivity(fixture.vera, 'Follow', fixture.bob.uri, { id })
      expect((await fixture.harness.deliver(fixture.remote, follow, { as: fixture.vera })).status).toBe(202)
      await fixture.harness.waitForIdle()
      expect(await follows()).toHaveLength(1)
      const inner = { id, type: 'Follow', actor: fixture.vera.id, object: fixture.bob.uri }
      await fixture.harness.deliver(fixture.remote, makeActivity(fixture.vera, 'Undo', inner, { id }), {
        as: fixture.vera,
      })
      await fixture.harness.waitForIdle()
      expect(await follows()).toHaveLength(0)
    },
  )

  test('the inner activity of an Undo may name its actor by a page, or have its type in a list', async () => {
    const copy = { actor: fixture.vera.id, object: fixture.bob.uri }
    for (const inner of [
      { ...copy, type: 'Follow', actor: `${fixture.remote.origin}/@vera` },
      { ...copy, type: ['Follow'] },
    ]) {
      await fixture.sendActivity(fixture.vera, 'Follow', fixture.bob.uri)
      expect(await follows()).toHaveLength(1)
      expect(await fixture.sendActivity(fixture.vera, 'Undo', inner)).toBe('done')
      expect(await follows()).toHaveLength(0)
    }
    await fixture.sendActivity(fixture.vera, 'Follow', fixture.bob.uri)
    const ofRita = { ...copy, type: 'Follow', actor: `${fixture.remote.origin}/@rita` }
    expect(await fixture.sendActivity(fixture.vera, 'Undo', ofRita)).toBe('refused not-yours')
    expect(await follows()).toHaveLength(1)
    await fixture.sendActivity(fixture.vera, 'Undo', { ...copy, type: 'Follow' })
  })

  test('an Undo may name a Follow by its id and type only', async () => {
    const follow = makeActivity(fixture.vera, 'Follow', fixture.bob.uri)
    await fixture.harness.outcome(fixture.remote, follow, { as: fixture.vera })
    expect(await fixture.sendActivity(fixture.vera, 'Undo', { id: follow.id, type: 'Follow' })).toBe('done')
    expect(await follows()).toHaveLength(0)
  })
})
