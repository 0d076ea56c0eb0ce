/** Local collections of accounts (FEP-7aa9): documents, activities, requests for consent, refusals and revocations. */
import {
  accountRecords,
  addCollectionItem,
  collectionsOfAccount,
  createBlock,
  createCollection,
  removeCollection,
  removeCollectionItem,
  revokeCollectionItem,
  showAccount,
  showCollection,
  updateCollection,
  updateCredentials,
} from '@murmuration/contracts/accounts'
import { type Document, makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

const ACTIVITY = 'application/activity+json'
type LocalAccount = Awaited<ReturnType<Harness['createAccount']>>
let harness: Harness
let remote: RemoteServer
let third: RemoteServer
let bob: LocalAccount
let dora: LocalAccount
/** Follows bob. */
let rita: RemoteActor
/** On a server without followers of bob. */
let tom: RemoteActor
let ids: { rita: string; tom: string }

beforeAll(async () => {
  harness = await startHarness()
  bob = await harness.createAccount('bob')
  dora = await harness.createAccount('dora')
  remote = await harness.server()
  third = await harness.server()
  const interactionPolicy = { canFeature: { manualApproval: ['as:Public'] } }
  rita = await remote.addActor('rita', { interactionPolicy })
  tom = await third.addActor('tom', { interactionPolicy })
  await harness.outcome(remote, makeActivity(rita, 'Follow', bob.uri), { as: rita })
  await harness.outcome(third, makeActivity(tom, 'Like', `${harness.origin}/x`), { as: tom })
  await harness.call(updateCredentials, { discoverable: true }, dora)
  const { records } = await harness.call(accountRecords, { uris: [rita.id, tom.id] })
  const idOf = (uri: string) => records.find((one) => one.uri === uri)?.id ?? ''
  ids = { rita: idOf(rita.id), tom: idOf(tom.id) }
})
afterAll(() => harness.stop())
beforeEach(async () => {
  // An account has at most ten collections.
  const { collections } = await harness.call(collectionsOfAccount, { id: bob.id }, bob)
  for (const { id } of collections) await harness.call(removeCollection, { id }, bob)
  await harness.waitForIdle()
  for (const server of [remote, third]) server.inbox.clear()
})

const get = (url: string, as?: { server: RemoteServer; actor: RemoteActor }) =>
  as
    ? as.server.fetch(url, { as: as.actor }).then((it) => ({ status: it.status, document: () => it.json<Document>() }))
    : fetch(url, { headers: { accept: ACTIVITY } }).then((it) => ({ status: it.status, document: () => it.json() }))
const read = async (url: string): Promise<Document> => (await (await get(url)).document()) as Document
/** Profiles are published some seconds after they changed, in the middle of any test. */
const isOfProfile = ({ object }: Document): boolean => (object as Document | undefined)?.type === 'Person'
const allArrived = async (server = remote): Promise<Document[]> => {
  await harness.waitForIdle()
  return server.inbox.all.map((one) => one.activity).filter((one) => !isOfProfile(one))
}
const arrived = async (type: string, server = remote): Promise<Document[]> =>
  (await allArrived(server)).filter((one) => one.type === type)
const deliver = (from: RemoteServer, as: RemoteActor, activity: Document & { id: string }) =>
  harness.outcome(from, activity, { as })
const create = async (input: object = {}, as = bob) =>
  (await harness.call(createCollection, { name: 'Birds', ...input } as never, as)).collection
const itemsOf = async (id: string, as = bob) => (await harness.call(showCollection, { id }, as)).collection.items
const stampOf = (actor: RemoteActor, name: string) => `${actor.id}/stamps/${name}`
/** Publishes a FeatureAuthorization at an address of the actor's server. */
const agree = (server: RemoteServer, actor: RemoteActor, name: string, collection: string, extra: Document = {}) => {
  const id = stampOf(actor, name)
  server.publish(new URL(id).pathname, {
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/fep/7aa9'],
    id,
    type: 'FeatureAuthorization',
    interactingObject: collection,
    interactionTarget: actor.id,
    ...extra,
  })
  return id
}

describe('documents', () => {
  test('an actor lists its discoverable collections, with consenting members', async () => {
    const open = await create({
      description: 'They <sing> #Loud',
      language: 'en',
      tag_name: 'birds',
      account_ids: [dora.id, ids.tom],
    })
    const hidden = await create({ name: 'Hidden', discoverable: false, account_ids: [dora.id] })
    const list = `${bob.uri}/featured_collections`
    expect(await read(bob.uri)).toMatchObject({ featuredCollections: list })
    const all = await read(list)
    expect(all).toMatchObject({ id: list, type: 'OrderedCollection', totalItems: 1, orderedItems: [{ id: open.uri }] })

    const [item] = open.items
    const stamp = `${dora.uri}/feature_authorizations/${item?.id}`
    const document = await read(open.uri)
    expect(document).toEqual({
      '@context': expect.arrayContaining(['https://www.w3.org/ns/activitystreams']),
      id: open.uri,
      type: 'FeaturedCollection',
      attributedTo: bob.uri,
      url: open.url,
      name: 'Birds',
      summary: 'They &lt;sing&gt; #Loud',
      summaryMap: { en: 'They &lt;sing&gt; #Loud' },
      sensitive: false,
      discoverable: true,
      topic: { type: 'Hashtag', name: '#birds', href: expect.stringMatching(/\/tags\/birds$/) },
      tag: [{ type: 'Hashtag', name: '#loud', href: expect.stringMatching(/\/tags\/loud$/) }],
      published: expect.stringMatching(/Z$/),
      updated: expect.stringMatching(/Z$/),
      totalItems: 1,
      orderedItems: [
        {
          id: `${open.uri}#items/${item?.id}`,
          type: 'FeaturedItem',
          featuredObject: dora.uri,
          featuredObjectType: 'Person',
          featureAuthorization: stamp,
          published: expect.stringMatching(/Z$/),
        },
      ],
    })
    expect(await read(stamp)).toMatchObject({
      id: stamp,
      type: 'FeatureAuthorization',
      interactingObject: open.uri,
      interactionTarget: dora.uri,
    })
    // A collection that is not listed is shown at its address, as in the API.
    expect(await read(hidden.uri)).toMatchObject({ id: hidden.uri, discoverable: false, totalItems: 1 })
    const page = await fetch(open.uri, { headers: { accept: 'text/html' }, redirect: 'manual' })
    expect([page.status, page.headers.get('location')]).toEqual([302, open.url])
  })

  test('a collection or authorization is not served at another account, nor after its deletion', async () => {
    const { uri, items } = await create({ account_ids: [dora.id] })
    const [, number] = /\/collections\/(\d+)$/.exec(uri) ?? []
    for (const url of [
      `${dora.uri}/collections/${number}`,
      `${bob.uri}/collections/1`,
      `${bob.uri}/collections/x`,
      `${bob.uri}/feature_authorizations/${items[0]?.id}`,
      `${dora.uri}/feature_authorizations/1`,
    ])
      expect([url, (await get(url)).status]).toEqual([url, 404])
    await harness.call(revokeCollectionItem, { collection_id: number ?? '', id: items[0]?.id ?? '' }, dora)
    expect((await get(`${dora.uri}/feature_authorizations/${items[0]?.id}`)).status).toBe(404)
    expect(await read(uri)).toMatchObject({ totalItems: 0, orderedItems: [] })
  })

  test('a blocked account sees no collections of the owner, and not which members block it', async () => {
    const erin = await harness.createAccount('erin')
    await harness.call(updateCredentials, { discoverable: true }, erin)
    const vera = await third.addActor('vera')
    await harness.outcome(third, makeActivity(vera, 'Like', `${harness.origin}/x`), { as: vera })
    const blocked = (await harness.account(vera.id))?.id ?? ''
    const { uri } = await create({ name: 'Both', account_ids: [dora.id, erin.id] })
    const asVera = { server: third, actor: vera }
    await harness.call(createBlock, { id: blocked }, erin)
    const seen = (await (await get(uri, asVera)).document()) as Document
    expect(seen).toMatchObject({ totalItems: 1, orderedItems: [{ featuredObject: dora.uri }] })
    await harness.call(createBlock, { id: blocked }, bob)
    expect((await get(uri, asVera)).status).toBe(404)
    const list = (await (await get(`${bob.uri}/featured_collections`, asVera)).document()) as Document
    expect(list).toMatchObject({ totalItems: 0, orderedItems: [] })
  })
})

describe('activities that followers receive', () => {
  test('of a collection that is created, filled, changed, emptied and deleted', async () => {
    const collection = await create({ name: 'Told', account_ids: [dora.id] })
    const adds = await arrived('Add')
    expect(adds).toHaveLength(2)
    const whole = adds.find((one) => (one.object as Document).type === 'FeaturedCollection')
    const single = adds.find((one) => (one.object as Document).type === 'FeaturedItem')
    expect(whole).toMatchObject({
      actor: bob.uri,
      to: [PUBLIC],
      cc: [`${bob.uri}/followers`],
      target: `${bob.uri}/featured_collections`,
      object: { id: collection.uri, name: 'Told', attributedTo: bob.uri },
    })
    expect(single).toMatchObject({ actor: bob.uri, target: collection.uri, object: { featuredObject: dora.uri } })
    expect(await arrived('Add', third)).toEqual([])

    await harness.call(updateCollection, { id: collection.id, name: 'Retold' }, bob)
    expect(await arrived('Update')).toMatchObject([{ object: { id: collection.uri, name: 'Retold', totalItems: 1 } }])

    const [item] = collection.items
    await harness.call(removeCollectionItem, { collection_id: collection.id, id: item?.id ?? '' }, bob)
    expect(await arrived('Remove')).toMatchObject([
      { actor: bob.uri, target: collection.uri, object: `${collection.uri}#items/${item?.id}` },
    ])
    await harness.call(removeCollection, { id: collection.id }, bob)
    expect((await arrived('Remove'))[1]).toMatchObject({
      actor: bob.uri,
      target: `${bob.uri}/featured_collections`,
      object: collection.uri,
    })
  })

  test('none of a non-discoverable collection, Add when it becomes discoverable, Remove when it no longer is', async () => {
    const { id, uri } = await create({ discoverable: false, account_ids: [dora.id] })
    await harness.call(updateCollection, { id, name: 'Still hidden' }, bob)
    await harness.waitForIdle()
    expect((await allArrived()).map((one) => one.type)).toEqual([])
    await harness.call(updateCollection, { id, discoverable: 'true' } as never, bob)
    expect(await arrived('Add')).toMatchObject([{ object: { id: uri, name: 'Still hidden', totalItems: 1 } }])
    await harness.call(updateCollection, { id, discoverable: 'false' } as never, bob)
    expect(await arrived('Remove')).toMatchObject([{ target: `${bob.uri}/featured_collections`, object: uri }])
    remote.inbox.clear()
    const erin = await harness.createAccount('eva')
    await harness.call(updateCredentials, { discoverable: true }, erin)
    await harness.call(updateCollection, { id, name: 'Hidden again' }, bob)
    await harness.call(addCollectionItem, { collection_id: id, account_id: erin.id }, bob)
    await harness.waitForIdle()
    expect((await allArrived()).map((one) => one.type)).toEqual([])
  })

  test('a member that leaves also revokes its consent', async () => {
    const { id, uri, items } = await create({ account_ids: [dora.id] })
    await harness.waitForIdle()
    await harness.call(revokeCollectionItem, { collection_id: id, id: items[0]?.id ?? '' }, dora)
    expect(await arrived('Remove')).toMatchObject([{ object: `${uri}#items/${items[0]?.id}` }])
    const stamp = `${dora.uri}/feature_authorizations/${items[0]?.id}`
    expect(await arrived('Delete')).toMatchObject([
      { id: `${stamp}#delete`, actor: dora.uri, object: { id: stamp, type: 'FeatureAuthorization' } },
    ])
  })
})

describe('a remote account that is added to a collection', () => {
  /** Adds tom to a new collection. Returns the FeatureRequest that he receives. */
  const sendRequest = async (input: object = {}) => {
    const collection = await create({ ...input, account_ids: [ids.tom] })
    const item = collection.items[0]?.id ?? ''
    const request = (await arrived('FeatureRequest', third)).find((one) => String(one.id).endsWith(`/${item}`))
    return { ...collection, item, request: request as Document & { id: string } }
  }

  test('is not added without a policy, and is asked according to its policy', async () => {
    const named = async (name: string, canFeature?: object) => {
      const extra = canFeature ? { interactionPolicy: { canFeature } } : {}
      const actor = await third.addActor(name, extra)
      await harness.outcome(third, makeActivity(actor, 'Like', `${harness.origin}/x`), { as: actor })
      return { ...((await harness.account(actor.id)) as { id: string }), uri: actor.id }
    }
    const followers = `${third.origin}/users/few/followers`
    const accounts = {
      silent: await named('silent'),
      nobody: await named('nobody', { automaticApproval: [`${third.origin}/users/nobody`] }),
      few: await named('few', { automaticApproval: [followers], manualApproval: [] }),
      open: await named('open', { automaticApproval: 'Public' }),
    }
    const { id } = await create()
    const add = (who: { id: string }) => harness.call(addCollectionItem, { collection_id: id, account_id: who.id }, bob)
    for (const who of [accounts.silent, accounts.nobody, accounts.few])
      await expect(add(who)).rejects.toMatchObject({ status: 403 })
    expect((await add(accounts.open)).collection_item).toMatchObject({ state: 'pending' })
    expect((await arrived('FeatureRequest', third)).map((one) => one.object)).toEqual([accounts.open.uri])
    const approval = async (who: { id: string }) => (await harness.call(showAccount, { id: who.id })).feature_approval
    expect(await approval(accounts.silent)).toEqual({ automatic: [], manual: [], current_user: 'missing' })
    expect(await approval(accounts.few)).toEqual({ automatic: ['followers'], manual: [], current_user: 'denied' })
    expect(await approval(accounts.open)).toEqual({ automatic: ['public'], manual: [], current_user: 'automatic' })
  })

  test('is asked, and shown publicly after it consented', async () => {
    const { id, uri, item, request } = await sendRequest()
    expect(request).toMatchObject({
      id: `${bob.uri}/feature_requests/${item}`,
      actor: bob.uri,
      to: [tom.id],
      object: tom.id,
      instrument: uri,
    })
    expect(await read(uri)).toMatchObject({ totalItems: 0 })
    const result = agree(third, tom, 'yes', uri)
    const accept = makeActivity(tom, 'Accept', request.id, { result })
    expect(await deliver(third, tom, accept)).toBe('done')
    expect(await itemsOf(id)).toMatchObject([{ id: item, state: 'accepted', account_id: ids.tom }])
    const sent = { target: uri, object: { featuredObject: tom.id, featureAuthorization: result } }
    expect((await arrived('Add')).at(-1)).toMatchObject(sent)
    expect(await arrived('Add', third)).toMatchObject([sent])
    expect(await read(uri)).toMatchObject({ orderedItems: [sent.object] })
    // A repetition changes nothing and causes no fetch.
    third.requests.clear()
    expect(await deliver(third, tom, makeActivity(tom, 'Accept', request.id, { result }))).toBe('done unchanged')
    expect(third.requests.all.filter((one) => one.path.includes('/stamps/'))).toEqual([])
    expect(await arrived('Add', third)).toHaveLength(1)

    expect(await deliver(third, tom, makeActivity(tom, 'Delete', { id: result, type: 'FeatureAuthorization' }))).toBe(
      'done',
    )
    expect(await itemsOf(id)).toMatchObject([{ id: item, state: 'revoked' }])
    expect(await arrived('Remove')).toMatchObject([{ target: uri, object: `${uri}#items/${item}` }])
    expect(await deliver(third, tom, makeActivity(tom, 'Accept', request.id, { result }))).toBe('done unchanged')
    expect(await itemsOf(id)).toMatchObject([{ state: 'revoked' }])
  })

  test('is removed when it rejects, also later', async () => {
    const { id, uri, request } = await sendRequest()
    const inlined = { type: 'FeatureRequest', id: request.id, actor: bob.uri, object: tom.id, instrument: uri }
    expect(await deliver(third, tom, makeActivity(tom, 'Reject', inlined))).toBe('done')
    expect(await itemsOf(id)).toMatchObject([{ state: 'rejected' }])
    const result = agree(third, tom, 'late', uri)
    expect(await deliver(third, tom, makeActivity(tom, 'Accept', request.id, { result }))).toBe('done unchanged')
    expect(await itemsOf(id)).toMatchObject([{ state: 'rejected' }])

    const other = await sendRequest()
    const stamp = agree(third, tom, 'first', other.uri)
    await deliver(third, tom, makeActivity(tom, 'Accept', other.request.id, { result: stamp }))
    expect(await deliver(third, tom, makeActivity(tom, 'Reject', other.request.id))).toBe('done')
    expect((await itemsOf(other.id))[0]?.state).toBe('rejected')
    expect((await arrived('Remove')).at(-1)).toMatchObject({ target: other.uri })
  })

  test.each([
    [
      'by its parts',
      ({ uri }: { uri: string; id: string }) => ({ type: 'FeatureRequest', object: tom.id, instrument: uri }),
    ],
    [
      'by its parts, with a slash',
      ({ uri }: { uri: string; id: string }) => ({ type: 'FeatureRequest', object: tom.id, instrument: `${uri}/` }),
    ],
    ['by its id with a slash', ({ id }: { uri: string; id: string }) => `${id}/`],
    [
      'by its parts, with an id on another server',
      ({ uri }: { uri: string; id: string }) => ({
        type: 'FeatureRequest',
        id: `${tom.id}/feature_requests/1`,
        object: tom.id,
        instrument: uri,
      }),
    ],
    [
      'by its collection, without an object',
      ({ uri }: { uri: string; id: string }) => ({ type: 'FeatureRequest', instrument: uri }),
    ],
    [
      'by its parts, with the page of the collection',
      ({ uri }: { uri: string; id: string }) => ({
        type: 'FeatureRequest',
        object: tom.id,
        instrument: `${harness.origin}/collections/${uri.split('/').at(-1)}`,
      }),
    ],
    [
      'by the pages of its parts',
      ({ uri }: { uri: string; id: string }) => ({
        type: 'FeatureRequest',
        object: String(tom.document.url),
        instrument: { type: 'FeaturedCollection', url: `${harness.origin}/collections/${uri.split('/').at(-1)}` },
      }),
    ],
  ])('is removed when it rejects a request that is named %s', async (_how, named) => {
    const { id, uri, request } = await sendRequest()
    const strange = { type: 'FeatureRequest', object: rita.id, instrument: uri }
    expect(await deliver(third, tom, makeActivity(tom, 'Reject', strange))).not.toBe('done')
    expect(await itemsOf(id)).toMatchObject([{ state: 'pending' }])
    expect(await deliver(third, tom, makeActivity(tom, 'Reject', named({ uri, id: request.id })))).toBe('done')
    expect(await itemsOf(id)).toMatchObject([{ state: 'rejected' }])
  })

  test('is the only one that can accept, with a matching authorization on its own server', async () => {
    const { id, uri, request } = await sendRequest()
    const accept = async (from: RemoteServer, as: RemoteActor, result?: string) =>
      deliver(from, as, makeActivity(as, 'Accept', request.id, result ? { result } : {}))
    expect(await accept(remote, rita, agree(remote, rita, 'hers', uri))).toBe('refused never-asked')
    expect(await accept(third, tom)).toBe('refused no-authorization')
    expect(await accept(third, tom, stampOf(tom, 'nowhere'))).toBe('refused no-authorization')
    const elsewhere = agree(remote, rita, 'for-tom', uri, { interactionTarget: tom.id })
    remote.requests.clear()
    expect(await accept(third, tom, elsewhere)).toBe('refused no-authorization')
    expect(remote.requests.all.filter((one) => one.path.includes('/stamps/'))).toEqual([])
    expect((await itemsOf(id))[0]?.state).toBe('pending')
  })

  test.each([
    ['another collection', (uri: string) => ({ interactingObject: `${uri}0` })],
    ['another account', () => ({ interactionTarget: 'https://x.example/y' })],
    ['another type', () => ({ type: 'QuoteAuthorization' })],
    ['its end', () => ({ type: 'Tombstone' })],
  ])('an authorization with %s is invalid', async (name, extra) => {
    const { id, uri, request } = await sendRequest()
    const result = agree(third, tom, name.replace(/ /g, '-'), uri, extra(uri))
    expect(await deliver(third, tom, makeActivity(tom, 'Accept', request.id, { result }))).toBe(
      'refused no-authorization',
    )
    expect((await itemsOf(id))[0]?.state).toBe('pending')
  })

  test('receives activities of a non-discoverable collection as long as it is a member', async () => {
    const { id, uri, item, request } = await sendRequest({ discoverable: false })
    const result = agree(third, tom, 'hidden', uri)
    await deliver(third, tom, makeActivity(tom, 'Accept', request.id, { result }))
    await harness.call(updateCollection, { id, name: 'For us' }, bob)
    expect(await arrived('Update', third)).toMatchObject([{ object: { id: uri, name: 'For us' } }])
    await deliver(third, tom, makeActivity(tom, 'Delete', { id: result, type: 'FeatureAuthorization' }))
    expect(await arrived('Remove', third)).toMatchObject([{ target: uri, object: `${uri}#items/${item}` }])
    third.inbox.clear()
    await harness.call(updateCollection, { id, name: 'Without them' }, bob)
    await harness.call(addCollectionItem, { collection_id: id, account_id: dora.id }, bob)
    expect((await allArrived(third)).map((one) => one.type)).toEqual([])
  })

  test('can accept however many other accounts respond before', async () => {
    const { id, uri, request } = await sendRequest()
    for (let n = 0; n < 12; n++) await deliver(remote, rita, makeActivity(rita, 'Accept', request.id, { result: uri }))
    const result = agree(third, tom, 'heard', uri)
    expect(await deliver(third, tom, makeActivity(tom, 'Accept', request.id, { result }))).toBe('done')
    expect(await deliver(third, tom, makeActivity(tom, 'Reject', request.id))).toBe('done')
    expect((await itemsOf(id))[0]?.state).toBe('rejected')
  })

  test('can only revoke its own authorization', async () => {
    const { id, uri, request } = await sendRequest()
    const result = agree(third, tom, 'kept', uri)
    await deliver(third, tom, makeActivity(tom, 'Accept', request.id, { result }))
    const other = await third.addActor('uma')
    await deliver(third, other, makeActivity(other, 'Delete', { id: result, type: 'FeatureAuthorization' }))
    await deliver(remote, rita, makeActivity(rita, 'Delete', { id: result, type: 'FeatureAuthorization' }))
    expect((await itemsOf(id))[0]?.state).toBe('accepted')
  })

  test('is asked again when it is added again', async () => {
    const { id, item, request } = await sendRequest()
    await deliver(third, tom, makeActivity(tom, 'Reject', request.id))
    await harness.call(removeCollectionItem, { collection_id: id, id: item }, bob)
    await harness.call(addCollectionItem, { collection_id: id, account_id: ids.tom }, bob)
    const requests = await arrived('FeatureRequest', third)
    expect(new Set(requests.map((one) => one.id)).size).toBe(2)
  })
})
