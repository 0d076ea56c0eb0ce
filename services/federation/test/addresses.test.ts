/** Activities that name accounts and statuses by pages, old ids and redirects instead of their ids. */
import { followCreate } from '@murmuration/contracts/accounts'
import { flagReceived } from '@murmuration/contracts/federation'
import { listNotifications } from '@murmuration/contracts/notifications'
import { accountTimeline, search, showStatus, showThread, statusRecords } from '@murmuration/contracts/statuses'
import { name, sql } from '@murmuration/db'
import { app as notifications } from '@murmuration/notifications'
import { type Document, makeActivity, PUBLIC } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Stage, startStage } from './stage.js'

let stage: Stage
beforeAll(async () => {
  stage = await startStage({}, [notifications])
})
afterAll(() => stage.world.stop())

/** Addresses of bob's profile that are not its id. */
const profiles = () => {
  const paths = ['@bob', 'users/bob', '@Bob', `@bob@${new URL(stage.world.origin).host}`]
  return paths.map((path) => `${stage.world.origin}/${path}`)
}
/** Addresses of a status of bob that are not its id. */
const pages = (id: string) => [`@bob/${id}`, `users/bob/statuses/${id}`].map((path) => `${stage.world.origin}/${path}`)
const follows = () =>
  stage.world
    .db('accounts')
    .rows(sql`select 1 from follows f join accounts a on a.id = f.account_id where a.uri = ${stage.vera.id}`)
const recordOf = async (uri: string) => (await stage.world.call(statusRecords, { uris: [uri] })).records[0]

describe('a local account, by its page', () => {
  test('is followed, unfollowed and blocked', async () => {
    for (const page of profiles()) {
      expect(await stage.say(stage.vera, 'Follow', page)).toBe('done')
      expect(await follows()).toHaveLength(1)
      const inner = { type: 'Follow', actor: stage.vera.id, object: page }
      expect(await stage.say(stage.vera, 'Undo', inner)).toBe('done')
      expect(await follows()).toHaveLength(0)
      expect(await stage.say(stage.vera, 'Block', page)).toBe('done')
      expect(await stage.say(stage.vera, 'Undo', { ...inner, type: 'Block' })).toBe('done')
    }
    expect(await stage.say(stage.vera, 'Follow', `${stage.world.origin}/@bob@third.example`)).toMatch('unknown-object')
  })

  test('is addressed in a status for it alone', async () => {
    for (const page of profiles()) {
      const note = stage.note(stage.vera, { to: [page], cc: [] })
      expect(await stage.say(stage.vera, 'Create', note)).toBe('done')
      expect(await stage.shown(note.id)).toMatchObject({ visibility: 'direct' })
    }
  })

  test('is mentioned and notified once, in each form of the address', async () => {
    const handle = `bob@${new URL(stage.world.origin).host}`
    for (const tag of [
      ...profiles().map((href) => ({ type: 'Mention', href })),
      ...[`@${handle}`, ` @${handle} `, `acct:${handle}`].map((name) => ({ type: 'Mention', name })),
      { type: 'Mention', nameMap: { en: `@${handle}` } },
      { type: 'Mention', href: `acct:${handle}` },
      { type: 'Mention', href: `acct:${handle}`, name: '@bob' },
    ])
      for (const cc of [[stage.bob.uri], [stage.bob.uri, profiles()[0]], [profiles()[0]]]) {
        const note = stage.note(stage.vera, { tag, cc })
        expect(await stage.say(stage.vera, 'Create', note)).toBe('done')
        expect((await stage.shown(note.id))?.mentions.map((one) => one.id)).toEqual([stage.bob.id])
        const told = await stage.world.call(listNotifications, { types: ['mention'] }, stage.bob)
        expect(told.filter((one) => 'status' in one && one.status?.uri === note.id)).toHaveLength(1)
      }
  })

  test('is followed and mentioned with characters around its id or page, and not mentioned if only addressed', async () => {
    const { bob, vera, world } = stage
    const page = `${world.origin}/@bob`
    const spellings = [`${bob.uri}/`, `${bob.uri}#me`, bob.uri.replace('http', 'HTTP')]
    const encoded = [`${world.origin}/%40bob`, `${world.origin}/@%62%6Fb`, `${world.origin}/users/%62ob`]
    for (const spelling of [...spellings, ...encoded, `${page}/`, `${world.origin}/web/@bob`]) {
      expect(await stage.say(vera, 'Follow', spelling)).toBe('done')
      expect(await follows()).toHaveLength(1)
      await stage.say(vera, 'Undo', { type: 'Follow', actor: vera.id, object: spelling })
      expect(await follows()).toHaveLength(0)
      const mentions = stage.note(vera, { to: [bob.uri], cc: [], tag: { type: 'Mention', href: spelling } })
      expect(await stage.say(vera, 'Create', mentions)).toBe('done')
      expect((await stage.shown(mentions.id))?.mentions.map((one) => one.id)).toEqual([bob.id])
      const addresses = stage.note(vera, { to: [spelling], cc: [] })
      expect(await stage.say(vera, 'Create', addresses)).toBe('done')
      expect(await stage.shown(addresses.id)).toMatchObject({ visibility: 'direct', mentions: [] })
    }
  })

  test('is mentioned and notified with encoded characters in the name or the address', async () => {
    const { bob, vera, remote, world } = stage
    const host = new URL(world.origin).host
    const name = { name: '@bob', type: 'Mention' }
    const tags = [
      ...[`@b%6fb@${host}`, `@b%6Fb@${host}`, `%40bob@${host}`, `acct:%62ob@${host}`, `b%6fb%40${host}`].map((it) => ({
        type: 'Mention',
        name: it,
      })),
      { type: 'Mention', href: `acct:b%6fb@${host}` },
      ...['/users/b%6fb', '/@b%6Fb/', '/web/@%62ob', '/%40bob', '/%75sers/bob'].map((path) => ({
        ...name,
        href: `${world.origin}${path}`,
      })),
      { ...name, href: bob.uri.replace(/\d$/, (digit) => `%3${digit}`) },
    ]
    for (const [at, tag] of tags.entries()) {
      const note = stage.note(vera, { tag, to: ['href' in tag && at > 5 ? tag.href : bob.uri], cc: [] })
      if (at % 2) expect(await stage.say(vera, 'Create', note)).toBe('done')
      else {
        remote.publish(new URL(note.id).pathname, { ...note, to: [PUBLIC], cc: note.to })
        await world.call(search, { q: note.id, resolve: true }, bob)
      }
      expect([tag, (await stage.shown(note.id))?.mentions.map((one) => one.id)]).toEqual([tag, [bob.id]])
    }
  })

  test('is mentioned by its handle if the address is on this server and is not one of an account', async () => {
    const { bob, vera, remote, world } = stage
    const name = `@bob@${new URL(world.origin).host}`
    for (const path of ['/bob', '/profile/bob', '/u/bob', '/ap/users/x'])
      for (const isFetched of [false, true]) {
        const note = stage.note(vera, { tag: { type: 'Mention', href: `${world.origin}${path}`, name }, cc: [bob.uri] })
        remote.publish(new URL(note.id).pathname, note)
        if (isFetched) await world.call(search, { q: note.id, resolve: true }, bob)
        else expect(await stage.say(vera, 'Create', note)).toBe('done')
        expect([path, (await stage.shown(note.id))?.mentions.map((one) => one.id)]).toEqual([path, [bob.id]])
      }
    // The address of an account decides over the name.
    const alice = await world.person('alice')
    for (const href of [alice.uri, `${world.origin}/@alice`]) {
      const note = stage.note(vera, { tag: { type: 'Mention', href, name }, cc: [alice.uri] })
      expect(await stage.say(vera, 'Create', note)).toBe('done')
      expect((await stage.shown(note.id))?.mentions.map((one) => one.id)).toEqual([alice.id])
    }
  })

  test('is followed, liked and reported with encoded characters in the address', async () => {
    const { bob, vera, world, post } = stage
    for (const address of [
      bob.uri.replace(/\d$/, (digit) => `%3${digit}`),
      `${world.origin}/%61p${bob.uri.split('/ap')[1]}`,
    ]) {
      expect(await stage.say(vera, 'Follow', address)).toBe('done')
      expect(await follows()).toHaveLength(1)
      await stage.say(vera, 'Undo', { type: 'Follow', actor: vera.id, object: address })
      expect(await stage.say(vera, 'Flag', address, { object: [address], content: 'encoded' })).toBe('done')
    }
    for (const address of [
      post.uri.replace(/\d$/, (digit) => `%3${digit}`),
      pages(post.id)[0]?.replace('bob', 'b%6fb'),
    ]) {
      expect(await stage.say(vera, 'Like', address ?? '')).toBe('done')
      expect(await stage.say(vera, 'Undo', { type: 'Like', actor: vera.id, object: address })).toBe('done')
    }
  })

  test('is mentioned in a status that is fetched', async () => {
    const tag = { type: 'Mention', href: profiles()[1] }
    const note = stage.note(stage.vera, { tag, cc: [stage.bob.uri] })
    stage.remote.publish(new URL(note.id).pathname, note)
    await stage.world.call(search, { q: note.id, resolve: true }, stage.bob)
    expect((await stage.shown(note.id))?.mentions.map((one) => one.id)).toEqual([stage.bob.id])
  })
})

test('a local status is liked, reblogged and replied to by its page', async () => {
  for (const page of pages(stage.post.id)) {
    for (const type of ['Like', 'Announce']) {
      const activity = makeActivity(stage.vera, type, page, { to: [PUBLIC] })
      expect(await stage.world.outcome(stage.remote, activity, { as: stage.vera })).toBe('done')
      const undone = await stage.say(stage.vera, 'Undo', { id: activity.id, type, actor: stage.vera.id, object: page })
      expect(undone).toBe('done')
    }
    const reply = stage.note(stage.vera, { inReplyTo: page, cc: [stage.bob.uri] })
    await stage.say(stage.vera, 'Create', reply)
    expect((await stage.shown(reply.id))?.in_reply_to_id).toBe(stage.post.id)
    // It addresses no local account, so only the page makes it concern this server.
    const unordered = stage.note(stage.vera, { inReplyTo: page })
    expect(await stage.say(stage.vera, 'Create', unordered)).toBe('done')
    expect((await stage.shown(unordered.id))?.in_reply_to_id).toBe(stage.post.id)
  }
})

test('a local account and a local status are reported by their pages', async () => {
  const [profile] = profiles()
  const [page] = pages(stage.post.id)
  expect(await stage.say(stage.vera, 'Flag', profile ?? '', { object: [profile, page], content: 'by page' })).toBe(
    'done',
  )
  const told = await stage.world
    .db('federation')
    .row<{ data: string }>(
      sql`select data from outbox where subject = ${flagReceived.subject} order by id desc limit 1`,
    )
  expect(JSON.parse(told?.data ?? '{}')).toMatchObject({ target: stage.bob.id, statusUris: [stage.post.uri] })
})

/** Forms of bob's Follow in the Accept or Reject of it. */
const copies: Record<string, (asked: { id: string; page: string }) => Document> = {
  'the pages of both sides': ({ page }) => ({ type: 'Follow', actor: `${stage.world.origin}/@bob`, object: page }),
  'its id and type': ({ id }) => ({ type: 'Follow', id }),
  'its actor only': () => ({ type: 'Follow', actor: stage.bob.uri }),
}
let asked = 0
test.each(Object.keys(copies))('a local Follow is accepted and rejected with %s', async (copy) => {
  const { world, remote, bob } = stage
  for (const type of ['Accept', 'Reject']) {
    const whom = await remote.addActor(`asked${++asked}`)
    const page = `${remote.origin}/@${whom.name}`
    Object.assign(whom.document, { url: page })
    await world.outcome(remote, makeActivity(whom, 'Like', `${world.origin}/x`), { as: whom })
    const account = await world.account(whom.id)
    await world.call(followCreate, { id: account?.id ?? '' }, bob)
    await world.settle()
    const rows = (table: 'follows' | 'follow_requests') =>
      world
        .db('accounts')
        .rows<{ uri: string }>(
          sql`select uri from ${name(table)} where account_id = ${bob.id} and target_id = ${account?.id}`,
        )
    const [request] = await rows('follow_requests')
    expect(await stage.say(whom, type, copies[copy]?.({ id: request?.uri ?? '', page }) ?? {})).toBe('done')
    expect(await rows('follow_requests')).toHaveLength(0)
    expect(await rows('follows')).toHaveLength(type === 'Accept' ? 1 : 0)
  }
})

test.each(['id', 'page'])('a Move may name both accounts by their pages, and the alias by the %s', async (form) => {
  const { world, remote } = stage
  const [old, home] = [await remote.addActor(`old-${form}`), await remote.addActor(`home-${form}`)]
  for (const who of [old, home]) Object.assign(who.document, { url: `${remote.origin}/@${who.name}` })
  Object.assign(home.document, { alsoKnownAs: [form === 'id' ? old.id : `${remote.origin}/@${old.name}`] })
  await stage.follow(stage.bob, old)
  for (const who of [old, home])
    await world.outcome(remote, makeActivity(who, 'Like', `${world.origin}/x`), { as: who })
  Object.assign(old.document, { movedTo: home.id })
  const [from, to] = [old, home].map((who) => `${remote.origin}/@${who.name}`)
  expect(await stage.say(old, 'Move', from ?? '', { target: to })).toBe('done')
  expect((await world.account(old.id))?.moved_to_id).toBe((await world.account(home.id))?.id)
})

test('a Move may name an unknown account by a page that only its server can resolve', async () => {
  const { world, remote, bob } = stage
  const [old, home] = [await remote.addActor('old-author'), await remote.addActor('home-author')]
  const page = `${remote.origin}/author/home/`
  Object.assign(home.document, { url: page, alsoKnownAs: [old.id] })
  remote.publish('/author/home/', home.document)
  await stage.follow(bob, old)
  Object.assign(old.document, { movedTo: page })
  expect(await stage.say(old, 'Move', old.id, { target: page })).toBe('done')
  expect((await world.account(old.id))?.moved_to_id).toBe((await world.account(home.id))?.id)
})

test.each([true, false])('a profile may name its new account by the page, known before: %s', async (isFirst) => {
  const { world, remote } = stage
  const [old, home] = [await remote.addActor(`left-${isFirst}`), await remote.addActor(`came-${isFirst}`)]
  Object.assign(old.document, { movedTo: `${remote.origin}/@${home.name}` })
  const known = (who: typeof old) => world.outcome(remote, makeActivity(who, 'Like', `${world.origin}/x`), { as: who })
  for (const who of isFirst ? [home, old] : [old, home]) await known(who)
  const { id } = (await world.account(home.id)) ?? {}
  expect((await world.account(old.id))?.moved_to_id).toBe(id)
  await stage.say(old, 'Update', old.document)
  expect((await world.account(old.id))?.moved_to_id).toBe(id)
})

test('a QuoteRequest and its quoting status may name the quoted status by its id or its page', async () => {
  const { post, vera } = stage
  const names = [post.uri, ...pages(post.id)]
  for (const object of names)
    for (const quote of names)
      expect(await stage.say(vera, 'QuoteRequest', object, { instrument: stage.note(vera, { quote }) })).toBe('done')
  const other = stage.note(vera, { quote: `${stage.world.origin}/@bob/1` })
  expect(await stage.say(vera, 'QuoteRequest', post.uri, { instrument: other })).toBe('refused quotes-another')
})

test('an account is found by its address in a web client on this server', async () => {
  const { remote, world, bob } = stage
  const webby = await remote.addActor('webby')
  await world.outcome(remote, makeActivity(webby, 'Like', `${world.origin}/x`), { as: webby })
  // Handles in addresses have no port.
  await world.db('accounts').run(sql`update accounts set domain = 'far.example' where uri = ${webby.id}`)
  for (const path of ['@webby@far.example', 'web/@Webby@far.example/', '@webby%40far.example']) {
    const { accounts } = await world.call(search, { q: `${world.origin}/${path}`, resolve: true }, bob)
    expect(accounts.map((one) => one.uri)).toEqual([webby.id])
  }
})

/** A status of vera whose page is not its id. Both addresses return the document. */
const paged = (extra: Document = {}) => {
  const note = stage.note(stage.vera, extra)
  const url = `${stage.remote.origin}/p/vera/${note.id.split('/').at(-1)}`
  const document = { ...note, url }
  stage.remote.publish(new URL(note.id).pathname, document)
  stage.remote.publish(new URL(url).pathname, document)
  return { ...document, url }
}

describe('a remote status, by its page', () => {
  test('is reblogged, whether stored or not', async () => {
    for (const isKnown of [false, true]) {
      const note = paged({ cc: [stage.bob.uri], tag: { type: 'Mention', href: stage.bob.uri } })
      if (isKnown) await stage.say(stage.vera, 'Create', note)
      const boost = makeActivity(stage.rita, 'Announce', note.url, { to: [PUBLIC] })
      expect(await stage.world.outcome(stage.remote, boost, { as: stage.rita })).toBe('done')
      const rita = await stage.world.account(stage.rita.id)
      const [first] = await stage.world.call(accountTimeline, { id: rita?.id ?? '' }, stage.bob)
      expect(first?.reblog?.uri).toBe(note.id)
    }
  })

  test('is pinned, unpinned and deleted', async () => {
    const { rita, remote, world } = stage
    const featured = `${rita.id}/collections/featured`
    Object.assign(rita.document, { featured })
    await stage.say(rita, 'Update', rita.document)
    const note = stage.note(rita)
    const page = `${remote.origin}/p/rita/${note.id.split('/').at(-1)}`
    await stage.say(rita, 'Create', { ...note, url: page })
    const account = (await world.account(rita.id))?.id ?? ''
    const pinned = async () => {
      await world.settle()
      return (await world.call(accountTimeline, { id: account, pinned: true }, stage.bob)).map((one) => one.uri)
    }
    expect(await stage.say(rita, 'Add', page, { target: featured })).toBe('done')
    expect(await pinned()).toEqual([note.id])
    expect(await stage.say(rita, 'Remove', page, { target: featured })).toBe('done')
    expect(await pinned()).toEqual([])
    expect(await stage.say(rita, 'Delete', page)).toBe('done')
    expect(await stage.shown(note.id)).toBeNull()
  })

  test('has its replies, in any order of arrival', async () => {
    for (const isFirst of [true, false]) {
      const note = paged({ cc: [stage.bob.uri], tag: { type: 'Mention', href: stage.bob.uri } })
      if (isFirst) await stage.say(stage.vera, 'Create', note)
      const reply = stage.note(stage.rita, { inReplyTo: note.url })
      await stage.say(stage.rita, 'Create', reply)
      await stage.world.settle()
      const parent = await recordOf(note.id)
      const thread = await stage.world.call(showThread, { id: parent?.id ?? '' }, stage.bob)
      expect(thread.descendants.map((one) => one.uri)).toEqual([reply.id])
    }
  })
})

test('an address whose document has an id on another host is resolved there', async () => {
  const other = await stage.world.server()
  const note = paged()
  other.publish('/bridged/1', note)
  await stage.world.call(search, { q: `${other.origin}/bridged/1`, resolve: true }, stage.bob)
  expect(await recordOf(note.id)).toBeDefined()
  other.publish('/bridged/2', { ...note, id: `${stage.remote.origin}/nothing` })
  const found = await stage.world.call(search, { q: `${other.origin}/bridged/2`, resolve: true }, stage.bob)
  expect(found.statuses).toEqual([])
})

test('a status whose id has a fragment is fetched without the fragment', async () => {
  const note = stage.note(stage.vera, { id: `${stage.remote.origin}/feed/1#item1` })
  stage.remote.publish('/feed/1', note)
  await stage.world.call(search, { q: note.id, resolve: true }, stage.bob)
  expect(await recordOf(note.id)).toBeDefined()
})

test('a status whose id has a fragment is found in the document that embeds it', async () => {
  const { origin } = stage.remote
  const note = (id: string) => ({ ...stage.note(stage.vera, { id: `${origin}${id}` }), '@context': undefined })
  const context = 'https://www.w3.org/ns/activitystreams'
  const holders: Record<string, (items: Document[]) => Document> = {
    collection: (orderedItems) => ({ type: 'OrderedCollection', orderedItems }),
    page: (items) => ({ type: 'Collection', first: { type: 'CollectionPage', items } }),
    create: ([object]) => ({ type: 'Create', actor: stage.vera.id, object, to: [PUBLIC] }),
    outbox: (items) => ({
      type: 'OrderedCollection',
      orderedItems: items.map((object) => ({ type: 'Create', actor: stage.vera.id, object, to: [PUBLIC] })),
    }),
  }
  for (const [name, holder] of Object.entries(holders)) {
    const items = [note(`/parts/${name}#1`), note(`/parts/${name}#2`), note('/parts/other#1')]
    stage.remote.publish(`/parts/${name}`, { '@context': context, id: `${origin}/parts/${name}`, ...holder(items) })
    for (const { id } of items.slice(0, name === 'create' ? 1 : 2)) {
      await stage.world.call(search, { q: id, resolve: true }, stage.bob)
      expect((await recordOf(id))?.uri).toBe(id)
    }
    await stage.world.call(search, { q: `${origin}/parts/${name}#3`, resolve: true }, stage.bob)
    expect(await recordOf(`${origin}/parts/${name}#3`)).toBeUndefined()
  }
  // A document proves only ids at its own address.
  expect(await recordOf(`${origin}/parts/other#1`)).toBeUndefined()
})

test('a Delete under the id of the Create counts', async () => {
  const { remote, rita, vera, world } = stage
  for (const suffix of ['', '#it']) {
    const note = stage.note(rita)
    const id = `${note.id}${suffix}`
    expect(await world.outcome(remote, { ...makeActivity(rita, 'Create', note), id }, { as: rita })).toBe('done')
    await world.outcome(remote, { ...makeActivity(vera, 'Delete', note.id), id }, { as: vera })
    expect(await stage.shown(note.id)).not.toBeNull()
    await world.outcome(remote, { ...makeActivity(rita, 'Delete', note.id), id }, { as: rita })
    expect(await stage.shown(note.id)).toBeNull()
  }
})

describe('an id without an origin', () => {
  test.each([undefined, '', 'tag:a,2026:1', 'urn:uuid:6f1', 'OURS#boost'])(
    '(%j) counts as absent in Announce and its Undo',
    async (spelled) => {
      const { bob, post, remote, vera, world } = stage
      const id = spelled?.replace('OURS', post.uri)
      const boosts = async () => {
        await world.settle()
        return (await world.call(showStatus, { id: post.id }, bob)).reblogs_count
      }
      const { id: _, ...bare } = makeActivity(vera, 'Announce', post.uri, { to: [PUBLIC], cc: [vera.followers] })
      const announce = id === undefined ? bare : { ...bare, id }
      for (let times = 0; times < 2; times++) {
        expect((await world.deliver(remote, announce, { as: vera })).status).toBe(202)
        expect(await boosts()).toBe(1)
      }
      await world.deliver(remote, makeActivity(vera, 'Undo', announce), { as: vera })
      expect(await boosts()).toBe(0)
      await world.deliver(remote, { ...announce, published: new Date().toISOString() }, { as: vera })
      expect(await boosts()).toBe(1)
      await world.deliver(remote, makeActivity(vera, 'Undo', { type: 'Announce', object: post.uri }), { as: vera })
      expect(await boosts()).toBe(0)
    },
  )
  test.each(['', 'tag:a,2026:1', 'urn:uuid:6f1', 'OURS#accept'])(
    '(%j) counts as absent in Follow, Like and Undo',
    async (spelled) => {
      const id = spelled.replace('OURS', stage.bob.uri)
      const follow = makeActivity(stage.vera, 'Follow', stage.bob.uri, { id })
      expect((await stage.world.deliver(stage.remote, follow, { as: stage.vera })).status).toBe(202)
      await stage.world.settle()
      expect(await follows()).toHaveLength(1)
      const inner = { id, type: 'Follow', actor: stage.vera.id, object: stage.bob.uri }
      await stage.world.deliver(stage.remote, makeActivity(stage.vera, 'Undo', inner, { id }), { as: stage.vera })
      await stage.world.settle()
      expect(await follows()).toHaveLength(0)
    },
  )

  test('the inner activity of an Undo may name its actor by a page, or have its type in a list', async () => {
    const copy = { actor: stage.vera.id, object: stage.bob.uri }
    for (const inner of [
      { ...copy, type: 'Follow', actor: `${stage.remote.origin}/@vera` },
      { ...copy, type: ['Follow'] },
    ]) {
      await stage.say(stage.vera, 'Follow', stage.bob.uri)
      expect(await follows()).toHaveLength(1)
      expect(await stage.say(stage.vera, 'Undo', inner)).toBe('done')
      expect(await follows()).toHaveLength(0)
    }
    await stage.say(stage.vera, 'Follow', stage.bob.uri)
    const ofRita = { ...copy, type: 'Follow', actor: `${stage.remote.origin}/@rita` }
    expect(await stage.say(stage.vera, 'Undo', ofRita)).toBe('refused not-yours')
    expect(await follows()).toHaveLength(1)
    await stage.say(stage.vera, 'Undo', { ...copy, type: 'Follow' })
  })

  test('an Undo may name a Follow by its id and type only', async () => {
    const follow = makeActivity(stage.vera, 'Follow', stage.bob.uri)
    await stage.world.outcome(stage.remote, follow, { as: stage.vera })
    expect(await stage.say(stage.vera, 'Undo', { id: follow.id, type: 'Follow' })).toBe('done')
    expect(await follows()).toHaveLength(0)
  })
})
