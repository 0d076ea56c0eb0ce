/** Quotes between servers (FEP-044f): requests, authorizations, display and revocation. Unverified quotes stay hidden. */
import {
  createStatus,
  editStatus,
  resolveStatus,
  revokeQuote,
  setInteractionPolicy,
  showStatus,
  statusRecords,
} from '@murmuration/contracts/statuses'
import { type Document, makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

const ACTIVITY = 'application/activity+json'
let harness: Harness
let remote: RemoteServer
let third: RemoteServer
let bob: Awaited<ReturnType<Harness['createAccount']>>
let rita: RemoteActor
let tom: RemoteActor

beforeAll(async () => {
  harness = await startHarness()
  bob = await harness.createAccount('bob')
  remote = await harness.server()
  third = await harness.server()
  rita = await remote.addActor('rita')
  tom = await third.addActor('tom')
  await harness.outcome(remote, makeActivity(rita, 'Follow', bob.uri), { as: rita })
})
afterAll(() => harness.stop())
beforeEach(async () => {
  await harness.waitForIdle()
  for (const server of [remote, third]) server.inbox.clear()
})

const uriOf = async (id: string) => (await harness.call(statusRecords, { ids: [id] })).records[0]?.uri ?? ''
const write = async (input: Record<string, unknown>) => {
  const { id } = await harness.call(createStatus, input as never, bob)
  return { id, uri: await uriOf(id) }
}
const quoteOf = async (id: string) => {
  await harness.waitForIdle()
  const status = await harness.call(showStatus, { id }, bob)
  return 'quote' in status ? status.quote : null
}
const idOf = async (uri: string) => (await harness.call(statusRecords, { uris: [uri] })).records[0]?.id ?? ''
const arrived = async (type: string, server = remote): Promise<Document[]> => {
  await harness.waitForIdle()
  return server.inbox.all.map((one) => one.activity).filter((one) => one.type === type)
}
const deliver = (from: RemoteServer, as: RemoteActor, activity: Document & { id: string }) =>
  harness.outcome(from, activity, { as })
const open = { automaticApproval: [PUBLIC] }

let notes = 0
const noteBy = (author: RemoteActor, extra: Document = {}): Document & { id: string } => ({
  '@context': 'https://www.w3.org/ns/activitystreams',
  id: `${author.id}/statuses/${++notes}`,
  type: 'Note',
  attributedTo: author.id,
  content: `<p>status ${notes}</p>`,
  published: new Date().toISOString(),
  to: [PUBLIC],
  cc: [author.followers],
  ...extra,
})
/** A stored remote status. */
const known = async (canQuote: Document = open) => {
  const note = remote.addNote(rita, 'words', { interactionPolicy: { canQuote } })
  const { id } = await harness.call(resolveStatus, { uri: note.id, viewer: null })
  return { id: id ?? '', uri: note.id }
}

describe('quotes of remote statuses', () => {
  test('the QuoteRequest contains the status, and after approval an Update is sent', async () => {
    const quoted = await known()
    const ours = await write({ status: 'look', quoted_status_id: quoted.id })
    const [request] = await arrived('QuoteRequest')
    expect(request).toMatchObject({
      id: `${bob.uri}/quote_requests/${ours.id}`,
      actor: bob.uri,
      to: [rita.id],
      object: quoted.uri,
      instrument: { id: ours.uri, type: 'Note', attributedTo: bob.uri, quote: quoted.uri, quoteUri: quoted.uri },
    })
    const [create] = await arrived('Create')
    expect(create).toMatchObject({
      object: { quote: quoted.uri, _misskey_quote: quoted.uri, quoteUrl: quoted.uri },
    })
    expect(JSON.stringify(create)).not.toContain('"quoteAuthorization":"')
    expect(await quoteOf(ours.id)).toEqual({ state: 'pending', quoted_status: null })
    const stamp = `${rita.id}/stamps/1`
    expect(await deliver(remote, rita, makeActivity(rita, 'Accept', request?.id as string, { result: stamp }))).toBe(
      'done',
    )
    expect(await quoteOf(ours.id)).toMatchObject({ state: 'accepted', quoted_status: { uri: quoted.uri } })
    expect((await arrived('Update'))[0]).toMatchObject({ object: { id: ours.uri, quoteAuthorization: stamp } })
    expect(await deliver(remote, rita, makeActivity(rita, 'Delete', { id: stamp, type: 'QuoteAuthorization' }))).toBe(
      'done',
    )
    expect(await quoteOf(ours.id)).toEqual({ state: 'revoked', quoted_status: null })
  })
  test('a quote is hidden after the Undo of its Accept, in each form of the request', async () => {
    for (const form of ['id', 'instrument', 'page'] as const) {
      const quoted = await known()
      const ours = await write({ status: 'look', quoted_status_id: quoted.id })
      const request = `${bob.uri}/quote_requests/${ours.id}`
      const accept = makeActivity(rita, 'Accept', request, { result: `${rita.id}/stamps/undo-${form}` })
      await deliver(remote, rita, accept)
      expect(await quoteOf(ours.id)).toMatchObject({ state: 'accepted' })
      const forms = {
        id: request,
        instrument: { type: 'QuoteRequest', instrument: ours.uri },
        page: { type: 'QuoteRequest', instrument: `${harness.origin}/@bob/${ours.id}` },
      }
      const undone = { ...accept, object: forms[form] }
      const ofTom = { ...undone, id: `${tom.id}/accepts/${form}`, actor: tom.id }
      expect(await deliver(third, tom, makeActivity(tom, 'Undo', ofTom))).toBe('refused never-asked')
      expect(await deliver(remote, rita, makeActivity(rita, 'Undo', undone))).toBe('done')
      expect(await quoteOf(ours.id)).toEqual({ state: 'revoked', quoted_status: null })
    }
  })
  test('only an Accept of the quoted author counts, with an authorization on their server', async () => {
    const quoted = await known()
    const ours = await write({ status: 'look', quoted_status_id: quoted.id })
    const request = `${bob.uri}/quote_requests/${ours.id}`
    const accept = (from: RemoteServer, as: RemoteActor, result?: string) =>
      deliver(from, as, makeActivity(as, 'Accept', request, result ? { result } : {}))
    expect(await accept(third, tom, `${tom.id}/stamps/1`)).toBe('refused never-asked')
    expect(await accept(remote, rita, `${tom.id}/stamps/1`)).toBe('refused never-asked')
    expect(await accept(remote, rita)).toBe('refused no-authorization')
    expect(await quoteOf(ours.id)).toMatchObject({ state: 'pending' })
    const inlined = { type: 'QuoteRequest', id: request, actor: bob.uri, object: quoted.uri, instrument: ours.uri }
    expect(await deliver(remote, rita, makeActivity(rita, 'Reject', inlined))).toBe('done')
    expect(await quoteOf(ours.id)).toEqual({ state: 'rejected', quoted_status: null })
  })
})

test('the Accept of the quoted author counts, however many others respond before', async () => {
  const quoted = await known({ manualApproval: [PUBLIC] })
  const ours = await write({ status: 'look', quoted_status_id: quoted.id })
  const request = `${bob.uri}/quote_requests/${ours.id}`
  for (let n = 0; n < 12; n++)
    expect(await deliver(third, tom, makeActivity(tom, 'Reject', request))).toBe('refused never-asked')
  for (let n = 0; n < 12; n++) await deliver(third, tom, makeActivity(tom, 'Accept', request, { result: quoted.uri }))
  expect(await deliver(remote, rita, makeActivity(rita, 'Reject', request))).toBe('done')
  expect(await quoteOf(ours.id)).toMatchObject({ state: 'rejected' })
})

describe('quotes of local statuses', () => {
  const sendRequest = (quoted: string, instrument: Document | string, id = `${rita.id}/quote_requests/${++notes}`) =>
    deliver(remote, rita, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id,
      type: 'QuoteRequest',
      actor: rita.id,
      object: quoted,
      instrument,
    })

  test('is approved with an authorization that any server can verify, and shown', async () => {
    const ours = await write({ status: 'wise' })
    const theirs = noteBy(rita, { quote: ours.uri })
    expect(await sendRequest(ours.uri, theirs)).toBe('done')
    const [accept] = await arrived('Accept')
    expect(accept).toMatchObject({
      actor: bob.uri,
      object: { type: 'QuoteRequest', actor: rita.id, object: ours.uri, instrument: theirs.id },
    })
    const stamp = accept?.result as string
    const answer = await fetch(stamp, { headers: { accept: ACTIVITY } })
    expect(answer.headers.get('cache-control')).toBe('max-age=30, public')
    expect(await answer.json()).toMatchObject({
      id: stamp,
      type: 'QuoteAuthorization',
      attributedTo: bob.uri,
      interactingObject: theirs.id,
      interactionTarget: ours.uri,
    })
    // It was embedded in the request.
    const id = await idOf(theirs.id)
    expect(await quoteOf(id)).toMatchObject({ state: 'accepted', quoted_status: { id: ours.id } })
    expect(await deliver(remote, rita, makeActivity(rita, 'Create', { ...theirs, quoteAuthorization: stamp }))).toBe(
      'done unchanged',
    )
    expect(await quoteOf(id)).toMatchObject({ state: 'accepted', quoted_status: { id: ours.id } })
    await harness.call(revokeQuote, { id: ours.id, quoting_status_id: id }, bob)
    expect((await arrived('Delete'))[0]).toMatchObject({
      actor: bob.uri,
      object: { id: stamp, type: 'QuoteAuthorization', interactingObject: theirs.id, interactionTarget: ours.uri },
    })
    expect((await fetch(stamp, { headers: { accept: ACTIVITY } })).status).toBe(404)
    expect(await sendRequest(ours.uri, theirs)).toBe('done rejected')
    expect(await arrived('Reject')).toHaveLength(1)
  })
  test('is refused by policy, and gets no response for a hidden status', async () => {
    const closed = await write({ status: 'mine', quote_approval_policy: 'nobody' })
    expect(await sendRequest(closed.uri, noteBy(rita, { quote: closed.uri }))).toBe('done rejected')
    expect((await arrived('Reject'))[0]).toMatchObject({ actor: bob.uri, to: [rita.id] })
    expect(await sendRequest(`${bob.uri}/statuses/1`, noteBy(rita))).toBe('ignored unknown-object')
    const other = await write({ status: 'other' })
    expect(await sendRequest(other.uri, noteBy(rita, { quote: closed.uri }))).toBe('refused quotes-another')
    expect(await sendRequest(other.uri, noteBy(tom, { quote: other.uri }))).toBe('403 object-on-another-origin')
  })
  test('gets no response for a status that the actor may not see', async () => {
    const before = (await arrived('Reject')).length
    for (const visibility of ['private', 'direct']) {
      const secret = await write({ status: 'secret', visibility })
      const request = {
        ...makeActivity(tom, 'QuoteRequest', secret.uri),
        instrument: noteBy(tom, { quote: secret.uri }),
      }
      expect(await deliver(third, tom, request)).toBe('ignored unknown-object')
    }
    expect(await arrived('Reject')).toHaveLength(before)
  })
  test('is approved for followers if the policy permits followers', async () => {
    const half = await write({ status: 'ours', quote_approval_policy: 'followers' })
    expect(await sendRequest(half.uri, noteBy(rita, { quote: half.uri }))).toBe('done')
    const request = {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: `${tom.id}/quote_requests/1`,
      type: 'QuoteRequest',
      actor: tom.id,
      object: half.uri,
      instrument: noteBy(tom, { quote: half.uri }),
    }
    expect(await deliver(third, tom, request)).toBe('done rejected')
  })
})

describe('a local status that is quoted by older properties', () => {
  const put = async (fields: (uri: string, page: string) => Document, policy = 'public') => {
    const ours = await write({ status: 'wise', quote_approval_policy: policy })
    const { url } = (await harness.call(showStatus, { id: ours.id }, bob)) as { url: string }
    const note = noteBy(rita, fields(ours.uri, url))
    await deliver(remote, rita, makeActivity(rita, 'Create', note))
    return { ours, note, quote: await quoteOf(await idOf(note.id)) }
  }
  const rel = 'https://misskey-hub.net/ns#_misskey_quote'
  const link = (href: string) => ({ tag: [{ type: 'Link', mediaType: 'application/activity+json', rel, href }] })
  test.each<[string, (uri: string, page: string) => Document]>([
    ['_misskey_quote', (uri) => ({ _misskey_quote: uri, quoteUrl: uri })],
    ['quoteUrl', (_, page) => ({ quoteUrl: page })],
    ['quoteUri', (uri) => ({ quoteUri: uri })],
    ['an object link (FEP-e232)', link],
  ])('is shown and counted by its policy: %s', async (_, fields) => {
    const { ours, note, quote } = await put(fields)
    expect(quote).toMatchObject({ state: 'accepted', quoted_status: { id: ours.id } })
    expect(await harness.call(showStatus, { id: ours.id }, bob)).toMatchObject({ quotes_count: 1 })
    // Its author revokes it as they revoke others; a later edit does not bring it back.
    await harness.call(revokeQuote, { id: ours.id, quoting_status_id: await idOf(note.id) }, bob)
    const edit = { ...note, content: '<p>again</p>', updated: new Date(Date.now() + 1_000).toISOString() }
    expect(await deliver(remote, rita, makeActivity(rita, 'Update', edit))).toBe('done edited')
    expect(await quoteOf(await idOf(note.id))).toBeNull()
    expect(await harness.call(showStatus, { id: ours.id }, bob)).toMatchObject({ quotes_count: 0 })
  })
  test('is not shown if the policy permits no account', async () => {
    const { ours, quote } = await put((uri) => ({ quoteUrl: uri }), 'nobody')
    expect(quote).toBeNull()
    expect(await harness.call(showStatus, { id: ours.id }, bob)).toMatchObject({ quotes_count: 0 })
  })
})

describe('quotes between remote accounts', () => {
  const stampAt = (path: string, fields: Document) =>
    third.publish(path, { '@context': 'https://www.w3.org/ns/activitystreams', type: 'QuoteAuthorization', ...fields })
  const quoting = async (stamp: (note: string, quoted: string) => string) => {
    const quoted = third.addNote(tom, 'mine')
    const note = noteBy(rita, { quote: quoted.id, tag: [{ type: 'Mention', href: bob.uri, name: '@bob' }] })
    note.quoteAuthorization = stamp(note.id, quoted.id)
    note.to = [PUBLIC, bob.uri]
    await deliver(remote, rita, makeActivity(rita, 'Create', note))
    return quoteOf(await idOf(note.id))
  }
  test('m27 m28 are shown with an authorization on the server of the quoted author', async () => {
    const path = '/stamps/good'
    const found = await quoting((note, quoted) => {
      const id = `${third.origin}${path}`
      stampAt(path, { id, attributedTo: tom.id, interactingObject: note, interactionTarget: quoted })
      return id
    })
    expect(found).toMatchObject({ state: 'accepted', quoted_status: { account: { uri: tom.id } } })
  })
  test.each([
    [
      'by somebody else',
      (note: string, quoted: string) => ({ attributedTo: rita.id, interactingObject: note, interactionTarget: quoted }),
    ],
    [
      'for another status',
      (_note: string, quoted: string) => ({
        attributedTo: tom.id,
        interactingObject: `${rita.id}/statuses/0`,
        interactionTarget: quoted,
      }),
    ],
    [
      'of another quoted status',
      (note: string) => ({ attributedTo: tom.id, interactingObject: note, interactionTarget: `${tom.id}/0` }),
    ],
  ])('hostile 67: an authorization %s is invalid', async (name, fields) => {
    const path = `/stamps/${encodeURIComponent(name)}`
    const found = await quoting((note, quoted) => {
      const id = `${third.origin}${path}`
      stampAt(path, { id, ...fields(note, quoted) })
      return id
    })
    expect(found).toEqual({ state: 'rejected', quoted_status: null })
  })
  test('an authorization may name the author and both statuses by their pages', async () => {
    const document = (id: string) => ({ '@context': 'https://www.w3.org/ns/activitystreams', id, type: 'Note' })
    const pageOf = (server: RemoteServer, id: string, path: string) => {
      server.publish(path, document(id))
      return `${server.origin}${path}`
    }
    const found = await quoting((note, quoted) => {
      const id = `${third.origin}/stamps/pages`
      remote.publish(new URL(note).pathname, document(note))
      stampAt('/stamps/pages', {
        id,
        attributedTo: pageOf(third, tom.id, '/@tom'),
        interactingObject: pageOf(remote, note, '/@rita/quoting'),
        interactionTarget: pageOf(third, quoted, '/@tom/quoted'),
      })
      return id
    })
    expect(found).toMatchObject({ state: 'accepted' })
    const byOther = await quoting((note, quoted) => {
      const id = `${third.origin}/stamps/other-page`
      third.publish('/@other', { ...tom.document, id: `${third.origin}/users/other` })
      stampAt('/stamps/other-page', {
        id,
        attributedTo: `${third.origin}/@other`,
        interactingObject: note,
        interactionTarget: quoted,
      })
      return id
    })
    expect(byOther).toEqual({ state: 'rejected', quoted_status: null })
  })
  test('h15 an authorization on another server than the author’s is refused', async () => {
    const found = await quoting((note, quoted) => {
      remote.publish('/stamps/h15', {
        '@context': 'https://www.w3.org/ns/activitystreams',
        id: `${remote.origin}/stamps/h15`,
        type: 'QuoteAuthorization',
        attributedTo: tom.id,
        interactingObject: note,
        interactionTarget: quoted,
      })
      return `${remote.origin}/stamps/h15`
    })
    expect(found).toEqual({ state: 'rejected', quoted_status: null })
  })
})

test('S-187 an edit and a new policy are sent as Updates; only the edit has a time of edit', async () => {
  const ours = await write({ status: 'first' })
  expect((await arrived('Create'))[0]).toMatchObject({
    object: { interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } } },
  })
  await harness.call(setInteractionPolicy, { id: ours.id, quote_approval_policy: 'followers' }, bob)
  const [policy] = await arrived('Update')
  expect(policy).toMatchObject({
    object: { id: ours.uri, interactionPolicy: { canQuote: { automaticApproval: [`${bob.uri}/followers`] } } },
  })
  expect(policy?.object).not.toHaveProperty('updated')
  remote.inbox.clear()
  await harness.call(editStatus, { id: ours.id, status: 'second' } as never, bob)
  expect((await arrived('Update'))[0]).toMatchObject({
    object: { type: 'Note', id: ours.uri, content: '<p>second</p>', updated: expect.any(String) },
  })
})

test('a local poll is sent as a Question with its options', async () => {
  await write({ status: 'which?', poll: { options: ['a', 'b'], expires_in: 3_600, multiple: false } })
  expect((await arrived('Create'))[0]).toMatchObject({
    object: { type: 'Question', oneOf: [{ name: 'a' }, { name: 'b' }], endTime: expect.any(String) },
  })
})
