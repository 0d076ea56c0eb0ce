/** Statuses that name their author by a page instead of the id, delivered and fetched. */
import { fetchObject } from '@murmuration/contracts/federation'
import { accountTimeline, search, showThread, statusRecords } from '@murmuration/contracts/statuses'
import { type Document, makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
/** Unknown here. */
let newcomer: RemoteActor
beforeAll(async () => {
  fixture = await startFixture()
  const { remote, rita, vera } = fixture
  newcomer = await remote.addActor('newcomer')
  // The page of rita is known here. The other addresses answer with her actor document.
  Object.assign(rita.document, { url: `${remote.origin}/authors/rita.html` })
  await fixture.sendActivity(rita, 'Update', rita.document)
  await fixture.sendActivity(vera, 'Like', `${fixture.harness.origin}/x`)
  for (const path of ['/authors/rita.html', '/u/1', '/@rita', '/%40rita']) remote.publish(path, rita.document)
  remote.publish('/@vera', vera.document)
  const link = `<${rita.id}>; rel="alternate"; type="application/activity+json"`
  const headers = { 'content-type': 'text/html', link }
  remote.behave({ kind: 'status', status: 200, headers, body: '<html></html>' }, { path: '/rita.html' })
  remote.behave({ kind: 'redirect', to: rita.id, status: 302 }, { path: '/go/rita' })
})
afterAll(() => fixture.harness.stop())

/** A status of rita with this author. */
const by = (author: unknown, extra: Document = {}) => fixture.note(fixture.rita, { attributedTo: author, ...extra })
const at = (path: string) => `${fixture.remote.origin}${path}`

/** Forms of `attributedTo` that name rita. */
const forms: Record<string, () => unknown> = {
  'her id': () => fixture.rita.id,
  'her page': () => at('/authors/rita.html'),
  'another address of her document': () => at('/u/1'),
  'an encoded address of her document': () => at('/%40rita'),
  'a page with a link to her document': () => at('/rita.html'),
  'an address that redirects to her document': () => at('/go/rita'),
  'her id with a fragment': () => `${fixture.rita.id}#me`,
  'her id with a query': () => `${fixture.rita.id}?x=1`,
  'an object with her page': () => ({ type: 'Person', id: at('/@rita') }),
  'a Link to her page': () => ({ type: 'Link', href: at('/authors/rita.html') }),
  'a list of her page': () => [at('/authors/rita.html')],
  'her page and her id': () => [at('/authors/rita.html'), fixture.rita.id],
  'her page and a group of her server': () => [at('/authors/rita.html'), at('/groups/1')],
  'two of her pages': () => [at('/authors/rita.html'), at('/@rita')],
}
const names = Object.keys(forms)
const authorOf = (name: string) => forms[name]?.()

describe('a status that names its author by', () => {
  test.each(names)('%s is stored when it is delivered, edited and deleted', async (name) => {
    const note = by(authorOf(name))
    expect(await fixture.sendActivity(fixture.rita, 'Create', note)).toBe('done')
    expect((await fixture.shown(note.id))?.account.acct).toMatch(/^rita@/)
    const edit = { ...note, content: '<p>edited</p>', updated: new Date(Date.now() + 1_000).toISOString() }
    expect(await fixture.sendActivity(fixture.rita, 'Update', edit)).toBe('done edited')
    expect((await fixture.shown(note.id))?.content).toBe('<p>edited</p>')
    expect(await fixture.sendActivity(fixture.rita, 'Delete', note.id)).toBe('done')
  })

  test.each(names)('%s is stored when only its address is delivered', async (name) => {
    const note = by(authorOf(name))
    fixture.remote.publish(new URL(note.id).pathname, note)
    expect(await fixture.sendActivity(fixture.rita, 'Create', note.id)).toBe('done')
    expect((await fixture.shown(note.id))?.account.acct).toMatch(/^rita@/)
  })

  test.each(names)('%s keeps its visibility, delivered or fetched', async (name) => {
    for (const isFetched of [false, true]) {
      const note = by(authorOf(name), { to: [fixture.rita.followers], cc: [] })
      fixture.remote.publish(new URL(note.id).pathname, note)
      expect(await fixture.sendActivity(fixture.rita, 'Create', isFetched ? note.id : note)).toBe('done')
      expect(await fixture.shown(note.id)).toMatchObject({ visibility: 'private' })
    }
  })

  test.each(names)('%s is found by search', async (name) => {
    const note = by(authorOf(name))
    fixture.remote.publish(new URL(note.id).pathname, note)
    const found = await fixture.harness.call(search, { q: note.id, resolve: true }, fixture.bob)
    expect(found.statuses.map((one) => one.account.acct.split('@')[0])).toEqual(['rita'])
  })
})

test('a fetched status is stored if its unknown author is named by a page with a link to its document', async () => {
  const { harness, remote, bob } = fixture
  const uma = await remote.addActor('uma')
  const link = `<${uma.id}>; rel="alternate"; type="application/activity+json"`
  const body = `<html><head><link rel="alternate" type="application/activity+json" href="${uma.id}"></head></html>`
  const pages: [string, Record<string, string>, string][] = [
    ['/uma.html', { link }, '<html></html>'],
    ['/uma', {}, body],
  ]
  for (const [path, more, html] of pages) {
    const headers = { 'content-type': 'text/html', ...more }
    remote.behave({ kind: 'status', status: 200, headers, body: html }, { path })
    const note = fixture.note(uma, { attributedTo: at(path) })
    remote.publish(new URL(note.id).pathname, note)
    const found = await harness.call(search, { q: note.id, resolve: true }, bob)
    expect(found.statuses.map((one) => one.account.acct.split('@')[0])).toEqual(['uma'])
  }
})

test('a fetched status is not stored if the page of its author leads to an account of another server', async () => {
  const { harness, remote, bob } = fixture
  const other = await harness.server()
  const victim = await other.addActor('victim')
  const link = `<${victim.id}>; rel="alternate"; type="application/activity+json"`
  const headers = { 'content-type': 'text/html', link }
  remote.behave({ kind: 'status', status: 200, headers, body: '<html></html>' }, { path: '/victim.html' })
  remote.behave({ kind: 'redirect', to: victim.id }, { path: '/go/victim' })
  remote.publish('/victim', victim.document)
  for (const isKnown of [false, true]) {
    if (isKnown) await harness.call(search, { q: victim.id, resolve: true }, bob)
    for (const path of ['/victim.html', '/go/victim', '/victim']) {
      const note = by(at(path))
      remote.publish(new URL(note.id).pathname, note)
      const found = await harness.call(search, { q: note.id, resolve: true }, bob)
      expect([path, found.statuses]).toEqual([path, []])
    }
  }
  expect(await harness.account(victim.id)).not.toBeNull()
})

describe('a status that names as its author', () => {
  test.each<[string, () => unknown, string]>([
    ['an account of the same server', () => fixture.vera.id, '403 attributed-to-another'],
    ['an unknown account of the same server', () => newcomer.id, 'refused attributed-to-another'],
    ['the page of an account of the same server', () => at('/@vera'), '403 attributed-to-another'],
    ['an address without a document', () => at('/nobody'), 'refused attributed-to-another'],
    ['a status', () => `${fixture.rita.id}/statuses/x`, 'refused attributed-to-another'],
    ['an account of another server', () => 'https://elsewhere.example/@rita', '403 attributed-to-another'],
    [
      'a page and an account of another server',
      () => [at('/authors/rita.html'), 'https://elsewhere.example/@rita'],
      '403 attributed-to-another',
    ],
    [
      'a Link to another server',
      () => ({ type: 'Link', href: 'https://elsewhere.example/@rita' }),
      '403 attributed-to-another',
    ],
    ['a local account', () => fixture.bob.uri, '403 attributed-to-another'],
    ['the page of a local account', () => `${fixture.harness.origin}/@bob`, '403 attributed-to-another'],
  ])('%s is refused', async (_, author, outcome) => {
    const note = by(author())
    expect(await fixture.sendActivity(fixture.rita, 'Create', note)).toBe(outcome)
    expect(await fixture.shown(note.id)).toBeNull()
  })

  test('another account is refused when only its address is delivered', async () => {
    for (const author of [fixture.vera.id, at('/@vera')]) {
      const note = by(author)
      fixture.remote.publish(new URL(note.id).pathname, note)
      expect(await fixture.sendActivity(fixture.rita, 'Create', note.id)).toBe('refused attributed-to-another')
    }
  })
})

test('an author that is unknown here may be named by the page in the first activity', async () => {
  const { harness, remote, bob } = fixture
  const nina = await remote.addActor('nina')
  Object.assign(nina.document, { url: at('/authors/nina.html') })
  const note = fixture.note(nina, {
    attributedTo: at('/authors/nina.html'),
    cc: [bob.uri],
    tag: { type: 'Mention', href: bob.uri },
  })
  expect(await fixture.sendActivity(nina, 'Create', note)).toBe('done')
  expect((await fixture.shown(note.id))?.account.acct).toMatch(/^nina@/)
  // Another account of the server cannot use that page, because it is the page of nina.
  const claim = { ...fixture.note(fixture.vera, { attributedTo: at('/authors/nina.html') }) }
  expect(await fixture.sendActivity(fixture.vera, 'Create', claim)).toBe('403 attributed-to-another')
  await harness.waitForIdle()
})

test('a vote, a reply and an activity whose actor is named by the page count', async () => {
  const { harness, rita, bob } = fixture
  const page = at('/authors/rita.html')
  const poll = await fixture.write({ status: 'which?', poll: { options: ['Red', 'Blue'], expires_in: 3_600 } })
  const vote = by(page, { content: undefined, name: 'Red', inReplyTo: poll.uri, to: [bob.uri], cc: [] })
  expect(await fixture.sendActivity(rita, 'Create', vote, { to: [bob.uri] })).toBe('done')
  const reply = by(page, { inReplyTo: fixture.post.uri })
  expect(await fixture.sendActivity(rita, 'Create', reply, { actor: page })).toBe('done')
  const thread = await harness.call(showThread, { id: fixture.post.id }, bob)
  expect(thread.descendants.map((one) => one.uri)).toContain(reply.id)
  const boost = makeActivity(rita, 'Announce', fixture.post.uri, { to: [PUBLIC], actor: page })
  expect(await harness.outcome(fixture.remote, boost, { as: rita })).toBe('done')
  const id = (await harness.account(rita.id))?.id ?? ''
  expect((await harness.call(accountTimeline, { id }, bob)).some((one) => one.reblog?.uri === fixture.post.uri)).toBe(
    true,
  )
  expect(await fixture.sendActivity(fixture.vera, 'Create', fixture.note(fixture.vera), { actor: page })).toMatch(
    /^401/,
  )
})

test('a status named by its author as a page is stored when the outbox is read, and when it is boosted', async () => {
  const { harness, remote, bob } = fixture
  const olga: RemoteActor = await remote.addActor('olga')
  const [page, outbox] = [at('/authors/olga.html'), `${olga.id}/outbox`]
  Object.assign(olga.document, { url: page, outbox })
  remote.publish('/authors/olga.html', olga.document)
  const notes = [fixture.note(olga, { attributedTo: page }), fixture.note(olga, { attributedTo: page })]
  for (const note of notes) remote.publish(new URL(note.id).pathname, note)
  remote.publish(new URL(outbox).pathname, {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: outbox,
    type: 'OrderedCollection',
    totalItems: 2,
    orderedItems: [makeActivity(olga, 'Create', notes[0] as Document), notes[1]?.id],
  })
  await fixture.follow(bob, olga)
  await harness.waitForIdle()
  const records = (await harness.call(statusRecords, { uris: notes.map((it) => it.id) })).records
  expect(records).toHaveLength(2)
  const boosted = by(at('/authors/rita.html'))
  remote.publish(new URL(boosted.id).pathname, boosted)
  const boost = makeActivity(olga, 'Announce', boosted.id, { to: [PUBLIC] })
  expect(await harness.outcome(remote, boost, { as: olga })).toBe('done')
})

test('a followers-only status is not fetched while its author cannot be read', async () => {
  const note = by(at('/authors/rita.html'), { to: [fixture.rita.followers], cc: [] })
  fixture.remote.publish(new URL(note.id).pathname, note)
  const undo = fixture.remote.behave({ kind: 'status', status: 503 }, { path: '/authors/rita.html' })
  // Without the followers collection of its author, it would count as a direct message.
  expect(await fixture.harness.call(fetchObject, { url: note.id })).toMatchObject({ outcome: 'later', note: null })
  undo()
  const { note: found } = await fixture.harness.call(fetchObject, { url: note.id, fresh: true })
  expect(found).toMatchObject({ authorUri: fixture.rita.id, visibility: 'private' })
})
