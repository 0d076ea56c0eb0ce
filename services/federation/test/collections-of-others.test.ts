/** Remote collections of accounts (FEP-7aa9): requests to add local accounts, activities, display, and limits of fetches. */
import {
  collectionsOfAccount,
  collectionsWithAccount,
  createBlock,
  createDomainBlock,
  createFollow,
  resolveAccount,
  revokeCollectionItem,
  showCollection,
  updateCredentials,
} from '@murmuration/contracts/accounts'
import { search } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { beginInWindow, holding } from '@murmuration/testkit'
import { type Document, makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  agree,
  another,
  asksFor,
  collectionNode,
  FEATURE_CONTEXT,
  filled,
  itemNode,
  publish,
} from './collection-nodes.js'
import { type Fixture, type LocalAccount, startFixture } from './fixture.js'

const ACTIVITY = 'application/activity+json'
let fixture: Fixture
let bob: LocalAccount
let remote: RemoteServer
/** Followed by bob. */
let rita: RemoteActor
/** On the server of rita, without local followers. */
let vera: RemoteActor
let third: RemoteServer
/** On a server of his own. */
let tom: RemoteActor

beforeAll(async () => {
  fixture = await startFixture()
  ;({ bob, remote, rita, vera } = fixture)
  third = await fixture.harness.server()
  tom = await third.addActor('tom')
  await fixture.harness.call(updateCredentials, { discoverable: true }, bob)
  for (const uri of [vera.id, tom.id]) await fixture.harness.call(resolveAccount, { uri })
})
afterAll(() => fixture.harness.stop())
beforeEach(async () => {
  await fixture.harness.waitForIdle()
  for (const server of [remote, third]) {
    server.inbox.clear()
    server.requests.clear()
  }
})

const outcome = (server: RemoteServer, as: RemoteActor, activity: Document & { id?: string }) =>
  fixture.harness.outcome(server, activity, { as })
const asking = (owner: RemoteActor, collection: string, whom = bob.uri, extra: Document = {}) => ({
  '@context': FEATURE_CONTEXT,
  id: `${owner.id}/requests/${another()}`,
  type: 'FeatureRequest',
  actor: owner.id,
  object: whom,
  instrument: collection,
  ...extra,
})
const arrived = async (type: string, server = remote): Promise<Document[]> => {
  await fixture.harness.waitForIdle()
  return server.inbox.all.map((one) => one.activity).filter((one) => one.type === type)
}
const containing = async (who = bob) =>
  (await fixture.harness.call(collectionsWithAccount, { id: who.id }, who)).collections
const kept = async (owner: RemoteActor) => {
  const account = await fixture.harness.account(owner.id)
  return (await fixture.harness.call(collectionsOfAccount, { id: account?.id ?? '' })).collections
}
const get = (url: string) => fetch(url, { headers: { accept: ACTIVITY } })

describe('FeatureRequest', () => {
  test('is accepted if the account is discoverable, once', async () => {
    const uri = publish(remote, collectionNode(vera))
    const request = asking(vera, uri)
    expect(await outcome(remote, vera, request)).toBe('done')
    const [accept] = await arrived('Accept')
    expect(accept).toMatchObject({ actor: bob.uri, to: [vera.id], object: request.id })
    const stamp = accept?.result as string
    expect(stamp).toMatch(new RegExp(`^${bob.uri}/feature_authorizations/\\d+$`))
    expect(await (await get(stamp)).json()).toMatchObject({
      id: stamp,
      type: 'FeatureAuthorization',
      interactingObject: uri,
      interactionTarget: bob.uri,
    })
    const [shown] = await containing()
    expect(shown).toMatchObject({
      uri,
      name: 'Birds',
      description: 'They <sing>',
      local: false,
      tag: { name: 'birds' },
    })
    expect(shown?.items).toMatchObject([{ state: 'accepted', account_id: bob.id }])
    // A repeated request, also with another id, gets the same response without a fetch.
    remote.requests.clear()
    expect(await outcome(remote, vera, asking(vera, uri))).toBe('done')
    expect((await arrived('Accept')).map((one) => one.result)).toEqual([stamp, stamp])
    expect(asksFor(remote, '/collections/')).toEqual([])
  })

  test('gets a response for each collection that is requested under one id', async () => {
    const uris = [publish(remote, collectionNode(vera)), publish(remote, collectionNode(vera))]
    const id = `${vera.id}#request`
    for (const uri of uris) expect(await outcome(remote, vera, asking(vera, uri, bob.uri, { id }))).toBe('done')
    const accepts = await arrived('Accept')
    expect(accepts.map((one) => one.object)).toEqual([id, id])
    expect(new Set(accepts.map((one) => one.result)).size).toBe(2)
  })

  test('needs no actor: its actor is the signer', async () => {
    const uri = publish(remote, collectionNode(vera))
    const { actor: _left, ...request } = asking(vera, uri)
    expect(await outcome(remote, vera, request)).toBe('done')
    expect(await arrived('Accept')).toMatchObject([{ to: [vera.id], object: request.id }])
    // An actor cannot request consent for another one like this.
    const { actor: _out, ...foreign } = asking(vera, publish(remote, collectionNode(vera)))
    expect(await outcome(third, tom, foreign)).toBe('403 id-on-another-origin')
  })

  test('is rejected if the account is not discoverable', async () => {
    const { harness } = fixture
    const shy = await harness.createAccount('shy')
    const locked = await harness.createAccount('locked')
    await harness.call(updateCredentials, { discoverable: true, locked: true }, locked)
    const uri = publish(third, collectionNode(tom))
    for (const who of [shy, locked]) {
      const request = asking(tom, uri, who.uri)
      expect(await outcome(third, tom, request)).toBe('done rejected')
      expect((await arrived('Reject', third)).at(-1)).toMatchObject({ actor: who.uri, object: request.id })
    }
    expect(asksFor(third, '/collections/')).toEqual([])

    const ulf = await third.addActor('ulf')
    const account = (await harness.call(resolveAccount, { uri: ulf.id })).record?.id ?? ''
    // A domain on loopback has a port, which handles cannot have.
    await harness.db('accounts').run(sql`update accounts set domain = 'third.example' where id = ${account}`)
    const [blocking, walled] = [await harness.createAccount('blocking'), await harness.createAccount('walled')]
    for (const who of [blocking, walled]) await harness.call(updateCredentials, { discoverable: true }, who)
    await harness.call(createBlock, { id: account }, blocking)
    await harness.call(createDomainBlock, { domain: 'third.example' }, walled)
    for (const who of [blocking, walled])
      expect(await outcome(third, ulf, asking(ulf, `${ulf.id}/collections/1`, who.uri))).toBe('done rejected')
    expect(asksFor(third, '/collections/')).toEqual([])
  })

  test.each<[string, () => Document, string]>([
    [
      'a collection of another server',
      () => ({ instrument: `${tom.id}/collections/9` }),
      '403 object-on-another-origin',
    ],
    ['a collection of ours', () => ({ instrument: `${bob.uri}/collections/9` }), '403 object-is-ours'],
    ['somebody elsewhere', () => ({ object: tom.id }), 'refused not-about-us'],
    ['no collection', () => ({ instrument: vera.id }), 'refused collection-refused'],
    ['what is not there', () => ({ instrument: `${vera.id}/collections/none` }), 'refused collection-not-found'],
  ])('about %s gets no response', async (_name, extra, reason) => {
    const request = asking(vera, `${vera.id}/collections/0`, bob.uri, extra())
    expect(await outcome(remote, vera, request)).toBe(reason)
    expect(await arrived('Accept')).toEqual([])
  })

  test('about the collection of another account on that server gets no response', async () => {
    const uri = publish(remote, collectionNode(rita))
    expect(await outcome(remote, vera, asking(vera, uri))).toBe('refused not-yours')
    expect(await outcome(remote, rita, asking(rita, uri))).toBe('done')
    expect(await outcome(remote, vera, asking(vera, uri))).toBe('done rejected')
  })

  test('fetches one document, whatever members it has', async () => {
    const node = collectionNode(vera)
    const items = Array.from({ length: 30 }, (_, n) => ({
      account: `${third.origin}/users/u${n}`,
      authorization: `${third.origin}/users/u${n}/stamps/1`,
    }))
    const uri = publish(remote, { ...node, orderedItems: items.map((it, n) => itemNode(node.id, n, it)) })
    expect(await outcome(remote, vera, asking(vera, uri))).toBe('done')
    await fixture.harness.waitForIdle()
    expect(asksFor(remote, '/collections/')).toHaveLength(1)
    expect(asksFor(third, '/')).toEqual([])
  })

  test('can be revoked by the account, which is not added again', async () => {
    const uri = publish(remote, collectionNode(vera))
    await outcome(remote, vera, asking(vera, uri))
    const [{ result: stamp } = {}] = await arrived('Accept')
    const shown = (await containing()).find((one) => one.uri === uri)
    const item = { collection_id: shown?.id ?? '', id: shown?.items[0]?.id ?? '' }
    await fixture.harness.call(revokeCollectionItem, item, bob)
    expect(await arrived('Delete')).toMatchObject([
      {
        id: `${stamp}#delete`,
        actor: bob.uri,
        to: [PUBLIC],
        object: { id: stamp, type: 'FeatureAuthorization', interactingObject: uri, interactionTarget: bob.uri },
      },
    ])
    expect((await get(stamp as string)).status).toBe(404)
    expect(await outcome(remote, vera, asking(vera, uri))).toBe('done rejected')
    expect(await arrived('Reject')).toHaveLength(1)
  })

  test('ends when the account blocks the owner', async () => {
    const { harness } = fixture
    const cara = await harness.createAccount('cara')
    await harness.call(updateCredentials, { discoverable: true }, cara)
    const uri = publish(third, collectionNode(tom))
    await outcome(third, tom, asking(tom, uri, cara.uri))
    const [{ result: stamp } = {}] = await arrived('Accept', third)
    await harness.call(createBlock, { id: (await harness.account(tom.id))?.id ?? '' }, cara)
    expect((await arrived('Delete', third)).map((one) => one.id)).toEqual([`${stamp}#delete`])
    expect(await containing(cara)).toEqual([])
  })
})

describe('activities about a collection by its owner', () => {
  const add = (owner: RemoteActor, node: Document, server = remote, target = `${owner.id}/featured_collections`) =>
    outcome(server, owner, makeActivity(owner, 'Add', node, { target, id: undefined, to: undefined }))

  test('is stored if the owner has local followers, with consenting members', async () => {
    const { id, ...empty } = collectionNode(rita)
    const [uma, ulla] = [await third.addActor('uma'), await remote.addActor('ulla')]
    const items = [
      { account: vera.id, authorization: agree(remote, vera, id) },
      { account: tom.id, authorization: agree(third, tom, id) },
      { account: uma.id, authorization: agree(third, uma, `${id}0`) },
      // The statement of the owner proves no consent, not even for accounts on its own server.
      { account: ulla.id },
      { account: bob.uri, authorization: `${bob.uri}/feature_authorizations/1` },
      { account: `${third.origin}/users/noproof` },
      { account: `${third.origin}/users/elsewhere`, authorization: `${remote.origin}/proof` },
    ]
    const node = { ...empty, id, orderedItems: items.map((it, n) => itemNode(id, n, it)) }
    expect(await add(rita, node)).toBe('done')
    await fixture.harness.waitForIdle()
    const [shown] = await kept(rita)
    const account = async (actor: RemoteActor) => (await fixture.harness.account(actor.id))?.id
    expect(shown).toMatchObject({ uri: id, url: `${id}.html`, name: 'Birds', item_count: 2 })
    expect(shown?.items.map((item) => item.account_id)).toEqual([await account(vera), await account(tom)])
    // A member without an address of a proof is not verified.
    expect([...asksFor(third, 'noproof'), ...asksFor(third, 'elsewhere'), ...asksFor(remote, '/proof')]).toEqual([])
    // The same in another activity causes no fetch.
    third.requests.clear()
    const again = { id: `${rita.id}/adds/again`, target: `${rita.id}/featured_collections`, to: undefined }
    expect(await outcome(remote, rita, makeActivity(rita, 'Add', node, again))).toBe('done unchanged')
    await fixture.harness.waitForIdle()
    expect(asksFor(third, '/stamps/')).toEqual([])
  })

  test('is ignored if the owner has no local followers', async () => {
    expect(await add(vera, collectionNode(vera, [{ account: tom.id, authorization: `${tom.id}/stamps/x` }]))).toBe(
      'ignored not-followed',
    )
    expect(asksFor(third, '/')).toEqual([])
  })

  test('is refused from another actor or origin', async () => {
    expect(await add(rita, collectionNode(vera))).toBe('refused not-yours')
    expect(await add(rita, { ...collectionNode(rita), attributedTo: tom.id })).toBe('refused bad-object')
    expect(await add(rita, collectionNode(tom))).toBe('refused not-yours')
    expect(await add(rita, collectionNode(rita), remote, `${tom.id}/featured_collections`)).toBe('refused not-yours')
  })

  test('updates it, adds and removes accounts, and deletes it', async () => {
    const node = filled(rita, [[remote, vera]])
    await add(rita, node)
    await fixture.harness.waitForIdle()
    await outcome(remote, rita, asking(rita, node.id))
    const find = async () => (await kept(rita)).find((one) => one.uri === node.id)
    const members = async () => (await find())?.items.map((item) => item.account_id)
    const veras = (await fixture.harness.account(vera.id))?.id
    const toms = (await fixture.harness.account(tom.id))?.id
    expect(await members()).toEqual([veras, bob.id])

    // Until its own list contains the requested account, the members stay.
    const renamed = { ...node, name: 'Owls', orderedItems: [] }
    expect(await outcome(remote, rita, makeActivity(rita, 'Update', renamed))).toBe('done')
    expect(await find()).toMatchObject({ name: 'Owls', item_count: 1 })
    expect(await members()).toEqual([bob.id])

    const his = itemNode(node.id, 7, { account: tom.id, authorization: agree(third, tom, node.id) })
    const ours = itemNode(node.id, 8, { account: bob.uri, authorization: `${bob.uri}/feature_authorizations/1` })
    expect(await add(rita, his, remote, node.id)).toBe('done')
    expect(await add(rita, ours, remote, node.id)).toBe('done')
    await fixture.harness.waitForIdle()
    expect(await members()).toEqual([bob.id, toms])
    const applyRemove = (object: string, target: string, by = rita) =>
      outcome(remote, by, makeActivity(by, 'Remove', object, { target, id: undefined }))
    expect(await applyRemove(his.id, node.id, vera)).not.toMatch(/^done$/)
    expect(await members()).toEqual([bob.id, toms])
    expect(await applyRemove(ours.id, node.id)).toBe('done')
    expect(await members()).toEqual([toms])
    expect(await arrived('Delete')).toEqual([])
    expect(await outcome(third, tom, makeActivity(tom, 'Delete', { id: his.featureAuthorization as string }))).toBe(
      'done',
    )
    expect(await members()).toEqual([])
    expect(await applyRemove(node.id, `${rita.id}/featured_collections`)).toBe('done')
    expect(await find()).toBeUndefined()
  })

  test('ends with a Delete or a Remove by its owner in any form, and not by others', async () => {
    const yara = await remote.addActor('yara')
    await fixture.follow(bob, yara)
    const applyRemove = (owner: RemoteActor, uri: string) =>
      makeActivity(owner, 'Remove', uri, { target: `${owner.id}/featured_collections` })
    const ends: [string, (uri: string) => Document & { id?: string }][] = [
      ['its address', (uri) => makeActivity(yara, 'Delete', uri)],
      ['a mark in its place', (uri) => makeActivity(yara, 'Delete', { id: uri, type: 'Tombstone' })],
      ['the whole', (uri) => makeActivity(yara, 'Delete', { id: uri, type: 'FeaturedCollection', name: 'Birds' })],
      ['its address, taken off the profile', (uri) => applyRemove(yara, uri)],
    ]
    for (const [name, end] of ends) {
      const node = filled(yara, [[remote, vera]])
      await add(yara, node)
      await outcome(remote, yara, asking(yara, publish(remote, node)))
      const isThere = async () => (await kept(yara)).some((one) => one.uri === node.id)
      const other = makeActivity(vera, 'Delete', node.id)
      expect([name, await outcome(remote, vera, other), await isThere()]).toEqual([name, 'done unknown-object', true])
      await outcome(remote, vera, applyRemove(vera, node.id))
      await outcome(remote, yara, makeActivity(yara, 'Delete', { id: node.id, type: 'Note' }))
      expect([name, await isThere()]).toEqual([name, true])
      expect([name, await outcome(remote, yara, end(node.id)), await isThere()]).toEqual([name, 'done', false])
      expect((await containing()).map((one) => one.uri)).not.toContain(node.id)
      // The Delete may be sent twice.
      expect([name, await outcome(remote, yara, end(node.id))]).not.toEqual([name, 'done'])
    }
  })

  test('a member that revokes its consent is removed, also when others named the same consent before', async () => {
    const yara = await remote.addActor('yara2')
    await fixture.follow(bob, yara)
    const wilma = await third.addActor('wilma')
    await fixture.harness.call(resolveAccount, { uri: wilma.id })
    const real = collectionNode(yara)
    const authorization = agree(third, wilma, real.id)
    const { id, ...bogus } = collectionNode(yara)
    await add(yara, { ...bogus, id, orderedItems: [itemNode(id, 1, { account: wilma.id, authorization })] })
    await add(yara, { ...real, orderedItems: [itemNode(real.id, 1, { account: wilma.id, authorization })] })
    await fixture.harness.waitForIdle()
    const count = async (uri: string) => (await kept(yara)).find((one) => one.uri === uri)?.item_count
    expect([await count(id), await count(real.id)]).toEqual([0, 1])
    expect(await outcome(third, wilma, makeActivity(wilma, 'Delete', authorization))).toBe('done')
    expect(await count(real.id)).toBe(0)
  })

  test('is stored as plain text', async () => {
    const wild = {
      name: 'A\u0000\u202eb\n<i>c</i>',
      summary: '<script>x</script>\u0000<b>d</b>\ud800',
      topic: { name: '#\u0000' },
    }
    const node = collectionNode(rita, [], {
      ...wild,
      url: 'javascript:alert(1)',
      published: 'x',
      updated: '9999-01-01T00:00:00Z',
    })
    expect(await add(rita, node)).toBe('done')
    const shown = (await kept(rita)).find((one) => one.uri === node.id)
    expect(shown).toMatchObject({ name: 'A\ufffd b <i>c</i>', tag: null, url: null })
    expect(shown?.description).not.toMatch(/[<\u0000]/)
    expect(Date.parse(shown?.updated_at ?? '')).toBeLessThanOrEqual(Date.now())
  })

  test('is processed sixty times an hour per owner', async () => {
    await beginInWindow(60)
    const { harness } = fixture
    const wanda = await remote.addActor('wanda')
    await fixture.follow(bob, wanda)
    const node = collectionNode(wanda)
    const sendActivity = (about: Document) => makeActivity(wanda, 'Update', about)
    expect(await outcome(remote, wanda, sendActivity(node))).toBe('done')
    // Each about another collection, because overtaken activities are not counted.
    const others = Array.from({ length: 59 }, () => collectionNode(wanda))
    await Promise.all(others.map((other) => harness.deliver(remote, sendActivity(other), { as: wanda })))
    await harness.waitForIdle()
    expect(await outcome(remote, wanda, sendActivity({ ...node, name: 'Name 60' }))).toBe('refused collection-limit')
    expect((await kept(wanda)).map((one) => one.name)).not.toContain('Name 60')
  })

  test('holds 25 accounts, who are looked up', async () => {
    const node = collectionNode(
      rita,
      Array.from({ length: 30 }, (_, n) => ({
        account: `${remote.origin}/users/none${n}`,
        authorization: `${remote.origin}/users/none${n}/stamps/1`,
      })),
    )
    const { id } = node
    expect(await add(rita, node)).toBe('done')
    await fixture.harness.waitForIdle()
    const asked = new Set(asksFor(remote, '/users/none').map((one) => one.path))
    expect(asked.size).toBe(25)
    expect((await kept(rita)).find((one) => one.uri === id)?.items).toEqual([])
  })

  test('is fetched with the profile of a followed account', async () => {
    const { harness } = fixture
    const xena = await third.addActor('xena')
    const list = `${xena.id}/lists`
    xena.document.featuredCollections = list
    const inside = collectionNode(xena, [{ account: xena.id }], { name: 'Inside' })
    const named = collectionNode(xena, [], { name: 'Named' })
    const foreign = collectionNode(rita, [], { name: 'Foreign' })
    publish(third, named)
    publish(third, {
      '@context': FEATURE_CONTEXT,
      id: list,
      type: 'OrderedCollection',
      totalItems: 4,
      orderedItems: [
        inside,
        named.id,
        foreign,
        ...Array.from({ length: 20 }, (_, n) => `${xena.id}/collections/no${n}`),
      ],
    })
    const tell = () => outcome(third, xena, makeActivity(xena, 'Update', xena.document))
    await harness.call(resolveAccount, { uri: xena.id })
    expect(await tell()).toBe('done')
    await harness.waitForIdle()
    expect(asksFor(third, '/lists')).toEqual([])
    const account = (await harness.account(xena.id))?.id ?? ''
    await harness.call(createFollow, { id: account }, bob)
    const asked = await harness
      .db('accounts')
      .row<{ uri: string }>(
        sql`select uri from follow_requests where account_id = ${bob.id} and target_id = ${account}`,
      )
    await outcome(third, xena, makeActivity(xena, 'Accept', asked?.uri ?? ''))
    expect(await tell()).toBe('done')
    await harness.waitForIdle()
    expect((await kept(xena)).map((one) => one.name).sort()).toEqual(['Inside', 'Named'])
    expect((await kept(rita)).map((one) => one.name)).not.toContain('Foreign')
    // The follow and the opened profile fetched the same four.
    const paths = asksFor(third, '/collections/').map((one) => one.path)
    expect(new Set(paths).size).toBe(4)
    expect(paths.length).toBeLessThanOrEqual(8)
  })

  test('is found by its address and its page, with consenting members', async () => {
    const { harness } = fixture
    const uma = await third.addActor('umay')
    const node = collectionNode(uma)
    const id = publish(third, {
      ...node,
      orderedItems: [
        itemNode(node.id, 1, { account: uma.id, authorization: agree(third, uma, node.id) }),
        itemNode(node.id, 2, { account: vera.id, authorization: agree(remote, vera, node.id) }),
      ],
    })
    const find = async (q: string) => (await harness.call(search, { q, resolve: 'true' } as never, bob)).collections
    expect(await find(id)).toMatchObject([{ uri: id, name: 'Birds', local: false }])
    await harness.waitForIdle()
    const veras = (await harness.account(vera.id))?.id
    const [shown] = await find(id)
    expect(shown?.items.map((item) => item.account_id)).toEqual([(await harness.account(uma.id))?.id, veras])
    third.publish(new URL(`${id}.html`).pathname, node)
    expect(await find(`${id}.html`)).toMatchObject([{ uri: id }])
    expect(await find(`${third.origin}/collections/none`)).toEqual([])
    expect(await find(publish(third, collectionNode(tom, [], { attributedTo: rita.id })))).toEqual([])
  })

  test('is public, also by its id', async () => {
    const [first] = await kept(rita)
    const shown = await fixture.harness.call(showCollection, { id: first?.id ?? '' })
    expect(shown.collection).toEqual(first)
    expect(shown.accounts[0]).toMatchObject({ uri: rita.id })
  })
})

test('an Update received after a Remove that was signed later adds no account back', async () => {
  const { harness } = fixture
  const node = filled(rita, [
    [third, tom],
    [remote, vera],
  ])
  const [item] = node.orderedItems as (Document & { id: string })[]
  const sendActivity = (type: string, object: Document | string, extra: Document, secondsAgo: number) =>
    harness.outcome(remote, makeActivity(rita, type, object, { to: [PUBLIC], ...extra }), {
      as: rita,
      now: new Date(Date.now() - secondsAgo * 1_000),
    })
  const target = `${rita.id}/featured_collections`
  expect(await sendActivity('Add', node, { target }, 60)).toBe('done')
  const members = async () => (await kept(rita)).find((one) => one.uri === node.id)?.items.length
  expect(await members()).toBe(2)
  publish(remote, {
    ...node,
    name: 'Few birds',
    totalItems: 1,
    orderedItems: (node.orderedItems as Document[]).slice(1),
  })
  expect(await sendActivity('Remove', item?.id ?? '', { target: node.id }, 10)).toBe('done')
  expect(await sendActivity('Update', { ...node, name: 'Birds again' }, {}, 30)).toBe('done')
  expect(asksFor(remote, new URL(node.id).pathname)).toHaveLength(1)
  expect(await members()).toBe(1)
  expect((await kept(rita)).find((one) => one.uri === node.id)?.name).toBe('Few birds')
})

test('an Update processed together with a Remove that was signed later adds no account back', async () => {
  const { harness } = fixture
  const node = filled(rita, [
    [third, tom],
    [remote, vera],
  ])
  const [item] = node.orderedItems as (Document & { id: string })[]
  const send = (type: string, object: Document | string, extra: Document, secondsAgo: number) =>
    harness.deliver(remote, makeActivity(rita, type, object, { to: [PUBLIC], ...extra }), {
      as: rita,
      now: new Date(Date.now() - secondsAgo * 1_000),
    })
  await send('Add', node, { target: `${rita.id}/featured_collections` }, 60)
  await harness.waitForIdle()
  const db = harness.db('accounts')
  const stored = await db.row<{ id: string }>(sql`select id from collections where uri = ${node.id}`)
  const name = `collection ${stored?.id}`
  const held = await holding(db, sql`select pg_advisory_xact_lock(hashtextextended(${name}, 1))`)
  publish(remote, { ...node, totalItems: 1, orderedItems: (node.orderedItems as Document[]).slice(1) })
  await send('Remove', item?.id ?? '', { target: node.id }, 10)
  await held.queued(1)
  await send('Update', { ...node, name: 'Birds again' }, {}, 30)
  await held.queued(2)
  await held.letGo()
  await harness.waitForIdle()
  expect((await kept(rita)).find((one) => one.uri === node.id)?.items).toHaveLength(1)
})

test('a collection deleted while the list of its owner is fetched is not stored again', async () => {
  const { harness } = fixture
  const yule = await remote.addActor('yule')
  const list = `${yule.id}/lists`
  yule.document.featuredCollections = list
  const node = collectionNode(yule)
  publish(remote, {
    '@context': FEATURE_CONTEXT,
    id: list,
    type: 'OrderedCollection',
    totalItems: 1,
    orderedItems: [node],
  })
  await fixture.follow(bob, yule)
  const tell = (type: string, object: Document | string) =>
    harness.deliver(remote, makeActivity(yule, type, object), { as: yule })
  await tell('Update', yule.document)
  await harness.waitForIdle()
  const uris = async () => (await kept(yule)).map((one) => one.uri)
  expect(await uris()).toEqual([node.id])
  const account = (await harness.account(yule.id))?.id
  const name = `collections ${account}`
  const held = await holding(harness.db('accounts'), sql`select pg_advisory_xact_lock(hashtextextended(${name}, 1))`)
  await tell('Update', yule.document)
  await held.queued(1)
  await tell('Delete', node.id)
  await expect.poll(uris).toEqual([])
  await held.letGo()
  await harness.waitForIdle()
  expect(await uris()).toEqual([])
})
