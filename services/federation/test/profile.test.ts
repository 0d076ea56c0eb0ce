/** Verified links, tabs and featured hashtags of local and remote profiles. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveAccount, showAccount, updateCredentials, verifyCredentials } from '@murmuration/contracts/accounts'
import { fetchLinkBack } from '@murmuration/contracts/federation'
import type { Viewer } from '@murmuration/contracts/kit'
import { addFeaturedTag, listFeaturedTagsOf, removeFeaturedTag } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { createAuthority } from '@murmuration/testkit/outside/certificate-authority'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { type Received, type StubResponse, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let dir = ''
let harness: Harness
let remote: RemoteServer
let site: WebServer
let bob: Viewer & { uri: string; record: { url: string } }
/** Responses of the personal site, by path. */
const pages = new Map<string, StubResponse | 'hang'>()
const asked: Received[] = []

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'murmuration-ca-'))
  const authority = createAuthority()
  const file = join(dir, 'ca.pem')
  await writeFile(file, authority.certificate)
  harness = await startHarness({ EXTRA_CA_FILE: file })
  remote = await harness.server()
  site = await serve(
    (request) => {
      asked.push(request)
      const found = pages.get(request.path)
      return found === 'hang' ? undefined : (found ?? { status: 404 })
    },
    { tls: authority.issue(['localhost', '127.0.0.1']), name: 'localhost' },
  )
  bob = await harness.createAccount('bob')
})
afterAll(async () => {
  await harness.stop()
  await site.close()
  await rm(dir, { recursive: true })
})
beforeEach(() => {
  pages.clear()
  asked.length = 0
})

const html = (body: string, more: Partial<StubResponse> = {}): StubResponse => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body,
  ...more,
})
const backTo = (profile: string) => html(`<!doctype html><p>hello <a rel="me nofollow" href="${profile}">me</a>`)

describe('links with rel=me', () => {
  const look = (path: string, profile = bob.record.url) =>
    harness.call(fetchLinkBack, { url: `${site.origin}${path}`, profile })

  test('a page is requested like by a browser, and searched for rel=me', async () => {
    pages.set('/', backTo(bob.record.url.toUpperCase()))
    expect(await look('/')).toEqual({ outcome: 'ok', linksBack: true })
    expect(asked[0]).toMatchObject({ method: 'GET', headers: { accept: 'text/html' } })
    expect(asked[0]?.headers.signature).toBeUndefined()
    pages.set('/', html(`<a href="${bob.record.url}">no rel</a>`))
    expect(await look('/')).toEqual({ outcome: 'ok', linksBack: false })
  })

  test('hostile 78 the first link may redirect to the profile, one hop', async () => {
    pages.set('/', html(`<link rel="me" href="${site.origin}/short"><a rel="me" href="${site.origin}/other">`))
    pages.set('/short', { status: 302, headers: { location: bob.record.url } })
    expect(await look('/')).toEqual({ outcome: 'ok', linksBack: true })
    expect(asked.at(-1)).toMatchObject({ method: 'HEAD', path: '/short' })
    pages.set('/short', { status: 302, headers: { location: `${site.origin}/again` } })
    pages.set('/again', { status: 302, headers: { location: bob.record.url } })
    expect((await look('/')).linksBack).toBe(false)
  })

  test('hostile 78 a redirect of a page to another site is not followed', async () => {
    const elsewhere = site.origin.replace('localhost', '127.0.0.1')
    pages.set('/mine', backTo(bob.record.url))
    pages.set('/away', { status: 302, headers: { location: `${elsewhere}/mine` } })
    expect(await look('/mine')).toEqual({ outcome: 'ok', linksBack: true })
    expect(await look('/away')).toEqual({ outcome: 'refused', linksBack: false })
  })

  test('hostile 78 other content types, missing pages, http, and blocked servers prove nothing', async () => {
    pages.set('/json', { ...backTo(bob.record.url), headers: { 'content-type': 'application/json' } })
    pages.set('/broken', { status: 500 })
    pages.set('/moved', { status: 302, headers: { location: `${site.origin}/` } })
    pages.set('/', backTo(bob.record.url))
    expect(await look('/json')).toEqual({ outcome: 'refused', linksBack: false })
    expect(await look('/missing')).toEqual({ outcome: 'not-found', linksBack: false })
    expect(await look('/broken')).toEqual({ outcome: 'later', linksBack: false })
    expect(await look('/moved')).toEqual({ outcome: 'ok', linksBack: true })
    expect(await harness.call(fetchLinkBack, { url: 'http://localhost:1/', profile: 'x' })).toMatchObject({
      outcome: 'refused',
    })
    expect(
      await harness.call(fetchLinkBack, { url: `${harness.origin.replace('http:', 'https:')}/`, profile: 'x' }),
    ).toMatchObject({
      outcome: 'local',
    })
    await harness.policy({
      blocks: [{ domain: 'localhost', severity: 'suspend', reject_media: false, reject_reports: false }],
    })
    expect(await look('/')).toEqual({ outcome: 'blocked', linksBack: false })
    await harness.policy({})
  })

  test('only the beginning of a large page is read', async () => {
    const link = `<a rel="me" href="${bob.record.url}">`
    pages.set('/near', html(`${'x'.repeat(900_000)}${link}`))
    pages.set('/far', html(`${'x'.repeat(3_000_000)}${link}`))
    expect((await look('/near')).linksBack).toBe(true)
    expect(await look('/far')).toEqual({ outcome: 'ok', linksBack: false })
  })

  test('links of a local account are checked when it edits its profile', async () => {
    pages.set('/', backTo(bob.record.url))
    await harness.call(
      updateCredentials,
      {
        fields_attributes: [
          { name: 'Site', value: `${site.origin}/` },
          { name: 'Not mine', value: `${site.origin}/other` },
        ],
      },
      bob,
    )
    await harness.waitForIdle()
    const { source, fields } = await harness.call(verifyCredentials, {}, bob)
    expect(source.fields.map((field) => field.verified_at !== null)).toEqual([true, false])
    expect(fields.map((field) => field.verified_at)).toEqual(source.fields.map((field) => field.verified_at))
  })

  test('links of a remote account are checked when it is fetched', async () => {
    const url = `${site.origin}/rita`
    const rita = await remote.addActor('rita', {
      attachment: [
        { type: 'PropertyValue', name: 'Site', value: `<a href="${url}" rel="me nofollow noopener">${url}</a>` },
        { type: 'PropertyValue', name: 'Text', value: url },
      ],
    })
    Object.assign(rita.document, { url: `${remote.origin}/@rita` })
    pages.set('/rita', backTo(`${remote.origin}/@rita`))
    const { record } = await harness.call(resolveAccount, { uri: rita.id })
    await harness.waitForIdle()
    const { fields } = await harness.call(showAccount, { id: record?.id ?? '' })
    expect(fields.map((field) => field.verified_at !== null)).toEqual([true, false])
    expect(fields[0]?.value).toContain('rel="nofollow noopener me"')
  })
})

test('tabs of a profile and attribution domains are sent and received', async () => {
  const dave = await harness.createAccount('dave')
  await harness.call(updateCredentials, { show_media: false, attribution_domains: ['news.example'] }, dave)
  const answer = await fetch(dave.uri, { headers: { accept: 'application/activity+json' } })
  expect(await answer.json()).toMatchObject({
    showFeatured: true,
    showMedia: false,
    showRepliesInMedia: true,
    attributionDomains: ['news.example'],
  })
  const tom = await remote.addActor('tom', { showFeatured: false, attributionDomains: ['blog.example'] })
  const { record } = await harness.call(resolveAccount, { uri: tom.id })
  expect(await harness.call(showAccount, { id: record?.id ?? '' })).toMatchObject({
    show_featured: false,
    show_media: true,
    show_media_replies: true,
  })
  const stored = await harness
    .db('accounts')
    .row<{ domains: string[] }>(sql`select attribution_domains as domains from accounts where uri = ${tom.id}`)
  expect(stored?.domains).toEqual(['blog.example'])
})

describe('featured hashtags', () => {
  const read = async (url: string) =>
    (await (await fetch(url, { headers: { accept: 'application/activity+json' } })).json()) as Record<string, unknown>
  const follow = async (name: string, whom: string): Promise<RemoteActor> => {
    const fan = await remote.addActor(name)
    const activity = makeActivity(fan, 'Follow', whom)
    await harness.deliver(remote, activity, { as: fan })
    await harness.waitForIdle()
    return fan
  }

  test('S-186 featuring one sends an Add and an Update of the actor, unfeaturing it a Remove and an Update', async () => {
    const carol = await harness.createAccount('carol')
    await follow('fan', carol.uri)
    // A server may receive the Update at several of its inboxes.
    const heard = () => [
      ...new Map(
        remote.inbox.all
          .map((one) => one.activity)
          .filter((one) => one.actor === carol.uri && one.type !== 'Accept')
          .map((one) => [one.id, one]),
      ).values(),
    ]
    const tag = await harness.call(addFeaturedTag, { name: 'GreenTea' }, carol)
    const href = `${harness.origin}/@carol/tagged/greentea`
    const hashtag = { type: 'Hashtag', href, name: '#GreenTea' }
    await expect.poll(() => heard().map((one) => one.type)).toEqual(['Add', 'Update'])
    expect(heard()[0]).toMatchObject({
      type: 'Add',
      actor: carol.uri,
      target: `${carol.uri}/collections/featured`,
      object: hashtag,
    })
    expect(heard()[1]).toMatchObject({ type: 'Update', object: { id: carol.uri, tag: [hashtag] } })
    expect(await read(`${carol.uri}/collections/tags`)).toMatchObject({
      type: 'Collection',
      totalItems: 1,
      items: [hashtag],
    })
    expect(await read(carol.uri)).toMatchObject({ featuredTags: `${carol.uri}/collections/tags`, tag: [hashtag] })
    await harness.call(removeFeaturedTag, { id: tag.id }, carol)
    await expect.poll(() => heard().map((one) => one.type)).toEqual(['Add', 'Update', 'Remove', 'Update'])
    expect(heard()[2]).toMatchObject({ type: 'Remove', target: `${carol.uri}/collections/featured`, object: hashtag })
    expect(heard()[3]).toMatchObject({ type: 'Update', object: { id: carol.uri, tag: [] } })
    expect(await read(`${carol.uri}/collections/tags`)).toMatchObject({ items: [] })
  })

  test('S-188 hashtags of remote profiles are read with the profile, and follow their Add and Remove', async () => {
    const path = '/users/mia/tags'
    const list = (...names: string[]) =>
      remote.publish(path, {
        '@context': 'https://www.w3.org/ns/activitystreams',
        id: `${remote.origin}${path}`,
        type: 'Collection',
        totalItems: names.length,
        items: names.map((name) => ({ type: 'Hashtag', href: `${remote.origin}/tags/${name}`, name: `#${name}` })),
      })
    list('Cats', 'dogs')
    const mia = await remote.addActor('mia', { featuredTags: `${remote.origin}${path}` })
    const { record } = await harness.call(resolveAccount, { uri: mia.id })
    const names = async () => {
      await harness.waitForIdle()
      return (await harness.call(listFeaturedTagsOf, { id: record?.id ?? '' })).map((one) => one.name).sort()
    }
    expect(await names()).toEqual(['Cats', 'dogs'])
    const change = (type: 'Add' | 'Remove', name: string, target = `${mia.id}/collections/featured`) =>
      harness.outcome(
        remote,
        makeActivity(mia, type, { type: 'Hashtag', href: `${remote.origin}/tags/x`, name: `#${name}` }, { target }),
        { as: mia },
      )
    expect(await change('Add', 'Birds')).toBe('done')
    expect(await change('Remove', 'cats')).toBe('done')
    expect(await names()).toEqual(['Birds', 'dogs'])
    expect(await change('Add', 'Evil', 'https://elsewhere.example/featured')).toBe('refused not-yours')
    list('Fish')
    await harness.outcome(remote, makeActivity(mia, 'Update', mia.document), { as: mia })
    expect(await names()).toEqual(['Fish'])
  })
})
