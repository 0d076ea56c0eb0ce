/** Profiles over HTTP: both profile endpoints with each content type, pictures in fields, hashtags in paths, and caching. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createAccountByOperator } from '@murmuration/contracts/accounts'
import { routedOperations } from '@murmuration/contracts/registry'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let alice = ''
beforeAll(async () => {
  harness = await startHarness()
  alice = await harness.createAccount('alice')
})
afterAll(() => harness.stop())

interface Shown {
  display_name: string
  avatar: string | null
  header: string | null
  hide_collections: boolean
  fields: { name: string; value: string }[]
  source: { fields: { name: string; value: string }[] }
}

/** A picture of one pixel. */
const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const staged = async () =>
  (await readdir(join(harness.env.BLOB_DIR ?? '', 'staging'), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((one) => one.isFile())
    .map((one) => one.name)

test('S-160 PUT and PATCH profile accept a picture in a field, serve it, and leave no file in staging', async () => {
  for (const method of ['PUT', 'PATCH']) {
    const answer = await harness.http('/api/v1/profile', {
      method,
      token: alice,
      json: { display_name: method, avatar: png, hide_collections: method === 'PATCH' },
    })
    expect(answer.status).toBe(200)
    const { display_name, avatar, header, hide_collections } = answer.json<Shown>()
    expect([display_name, header, hide_collections]).toEqual([method, null, method === 'PATCH'])
    const picture = await fetch(avatar ?? '')
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  }
  expect((await harness.http('/api/v1/profile', { token: alice })).json<Shown>().display_name).toBe('PATCH')
  await expect.poll(staged).toEqual([])
})

test('a thumbnail for media that the status does not contain is deleted from staging', async () => {
  const made = await harness.http('/api/v1/statuses', { method: 'POST', token: alice, json: { status: 'No media.' } })
  const { id } = made.json<{ id: string }>()
  const form = new FormData()
  form.set('status', 'No media.')
  form.set('media_attributes[][id]', '1')
  const bytes = Buffer.from(png.slice(png.indexOf(',') + 1), 'base64')
  form.set('media_attributes[][thumbnail]', new Blob([bytes], { type: 'image/png' }), 'cover.png')
  const edited = await harness.http(`/api/v1/statuses/${id}`, { method: 'PUT', token: alice, body: form })
  expect(edited.status).toBe(200)
  const json = { status: 'Still none.', media_attributes: [{ id: '1', thumbnail: png }] }
  const again = await harness.http(`/api/v1/statuses/${id}`, { method: 'PUT', token: alice, json })
  expect([again.status, again.json().content], 'as Mastodon.py sends it').toEqual([200, '<p>Still none.</p>'])
  await expect.poll(staged).toEqual([])
})

test('S-160 update_credentials accepts a picture in forms and JSON, and deleting the header restores the default', async () => {
  const form = new URLSearchParams({
    header: png,
    'fields_attributes[0][name]': 'Web',
    'fields_attributes[0][value]': 'x',
  })
  const changed = await harness.http('/api/v1/accounts/update_credentials', {
    method: 'PATCH',
    token: alice,
    body: form,
  })
  expect(changed.json<Shown>()).toMatchObject({
    header: expect.stringContaining('/system/'),
    source: { fields: [{ name: 'Web', value: 'x' }] },
  })
  const back = await harness.http('/api/v1/profile/header', { method: 'DELETE', token: alice })
  expect(back.json<Shown>().header).toBe(`${harness.origin}/headers/original/missing.png`)
  const multipart = new FormData()
  multipart.set('avatar', png)
  const again = await harness.http('/api/v1/profile', { method: 'PATCH', token: alice, body: multipart })
  expect(again.json<Shown>().avatar).toContain('/system/')
  const bare = await harness.http('/api/v1/profile/avatar', { method: 'DELETE', token: alice })
  expect(bare.json<Shown>().avatar).toBe(`${harness.origin}/avatars/original/missing.png`)
  const visible = new URLSearchParams({ hide_collections: 'false' })
  const shown = { method: 'PATCH', token: alice, body: visible }
  const open = await harness.http('/api/v1/accounts/update_credentials', shown)
  expect(open.json<Shown>().hide_collections).toBe(false)
})

test('a picture field of several megabytes is read only with a token, and refused above the limit', async () => {
  const large = `data:image/png;base64,${'A'.repeat(6 * 1_048_576)}`
  const known = await harness.http('/api/v1/profile', { method: 'PATCH', token: alice, json: { avatar: large } })
  expect(known.status).toBe(422)
  expect(known.json<{ details: object }>().details).toHaveProperty('avatar')
  const anonymous = await harness
    .http('/api/v1/profile', { method: 'PATCH', json: { avatar: large } })
    .catch(() => null)
  expect(anonymous === null || anonymous.status === 401).toBe(true)
  const huge = await harness
    .http('/api/v1/profile', { method: 'PATCH', token: alice, json: { avatar: `${large}${large}${large}${large}` } })
    .catch(() => null)
  expect(huge === null || huge.status === 413).toBe(true)
  await expect.poll(staged).toEqual([])
})

test('the error of a refused picture names its field', async () => {
  const wrong: [string, string][] = [
    ['data:image/png,abc', 'Validation failed: Avatar is invalid'],
    ['data:image/png;base64,AAAA', 'Validation failed: Avatar content type is not supported'],
    ['staging/00000000-0000-4000-8000-000000000000', 'Validation failed: Avatar'],
  ]
  for (const [avatar, text] of wrong) {
    const answer = await harness.http('/api/v1/profile', { method: 'PATCH', token: alice, json: { avatar } })
    expect([answer.status, answer.json<{ error: string }>().error]).toEqual([422, expect.stringContaining(text)])
  }
})

test('S-119 a percent-encoded hashtag in a path may be in any script', async () => {
  const tag = await harness.http(`/api/v1/tags/${encodeURIComponent('日本')}`)
  expect(tag.json()).toMatchObject({ name: '日本', url: `${harness.origin}/tags/${encodeURIComponent('日本')}` })
  expect(tag.headers.get('cache-control')).toContain('max-age=15, public')
  expect((await harness.http('/api/v1/tags/%31%32')).status).toBe(404)
  expect((await harness.http('/api/v1/tags/%23cats')).json()).toMatchObject({ name: 'cats' })
})

test('S-130 followed tags link to their next page', async () => {
  for (const name of ['one1', 'two2'])
    await harness.http(`/api/v1/tags/${name}/follow`, { method: 'POST', token: alice })
  const page = await harness.http('/api/v1/followed_tags?limit=1', { token: alice })
  const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
  expect(next).toContain('/api/v1/followed_tags?limit=1&max_id=')
  const second = await harness.http(next.slice(harness.origin.length), { token: alice })
  expect(second.json<{ name: string }[]>().map((tag) => tag.name)).toEqual(['one1'])
})

test('the directory and featured hashtags are public, and anonymous responses are cacheable', async () => {
  await harness.http('/api/v1/profile', { method: 'PATCH', token: alice, json: { discoverable: true } })
  const directory = await harness.http('/api/v1/directory?local=true&order=new')
  expect(directory.headers.get('cache-control')).toContain('max-age=15, public')
  const [found] = directory.json<{ id: string; username: string }[]>()
  expect(found?.username).toBe('alice')
  await harness.http('/api/v1/tags/birds/feature', { method: 'POST', token: alice })
  const featured = await harness.http(`/api/v1/accounts/${found?.id}/featured_tags`)
  expect(featured.json()).toMatchObject([{ name: 'birds', url: `${harness.origin}/@alice/tagged/birds` }])
  const missing = await harness.http('/api/v1/featured_tags', { method: 'POST', token: alice, json: {} })
  expect([missing.status, missing.json<{ error: string }>().error]).toEqual([
    400,
    'param is missing or the value is empty or invalid: name',
  ])
  const own = await harness.http('/api/v1/directory', { token: alice })
  expect(own.headers.get('cache-control')).toBe('private, no-store')
  const older = await harness.http('/api/v1/suggestions', { token: alice })
  expect([older.status, older.headers.get('deprecation')]).toEqual([200, '@1621123200'])
})

test('S-082 every request about an account without confirmation is not found, except lookup', async () => {
  const about = /^\/api\/v1\/accounts\/:\w+(?=\/|$)/
  const routes = routedOperations().flatMap(({ http }) => http.filter((route) => about.test(route.path)))
  expect(routes.length).toBeGreaterThan(20)
  const statusesFor = (id: string) =>
    Promise.all(
      routes.map(async ({ method, path }) => {
        const answer = await harness.http(path.replace(about, `/api/v1/accounts/${id}`), {
          token: alice,
          ...(method === 'GET' ? {} : { method, json: {} }),
        })
        return `${method} ${path} ${answer.status}`
      }),
    )
  const person = (username: string, confirmed: boolean) =>
    harness.call(createAccountByOperator, { username, email: `${username}@mail.example`, confirmed })
  const ghost = await person('ghost', false)
  expect(await statusesFor(ghost.id)).toEqual(routes.map(({ method, path }) => `${method} ${path} 404`))
  expect((await harness.http('/api/v1/accounts/lookup?acct=ghost')).json()).toMatchObject({ id: ghost.id })
  const someone = await person('someone', true)
  const found = (await statusesFor(someone.id)).filter((line) => line.endsWith(' 404'))
  expect(found).toEqual(['POST /api/v1/accounts/:id/email_subscriptions 404'])
})
