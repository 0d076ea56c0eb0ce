/** An unmodified client library signs in, posts, reads home, streams and uploads. */
import type { Product } from '@murmuration/testkit'
import { openBrowser } from '@murmuration/testkit/browser/forms'
import { createOAuthAPIClient, createRestAPIClient, createStreamingAPIClient } from 'masto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser, startWhole, type TestUser } from '../product.js'

let product: Product
let alice: TestUser
let bob: TestUser
beforeAll(async () => {
  product = await startWhole()
  ;[alice, bob] = await Promise.all([createUser(product, 'alice'), createUser(product, 'bob')])
})
afterAll(() => product?.stop())

test('signs in through the pages, without JavaScript', async () => {
  const anonymous = createRestAPIClient({ url: product.origin })
  const app = await anonymous.v1.apps.create({
    clientName: 'test',
    redirectUris: 'urn:ietf:wg:oauth:2.0:oob',
    scopes: 'read write',
  })
  const browser = openBrowser()
  const query = new URLSearchParams({
    client_id: app.clientId ?? '',
    redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
    response_type: 'code',
    scope: 'read write',
  })
  await browser.get(`${product.origin}/oauth/authorize?${query}`)
  const consent = await browser.submit(0, { fields: { 'user[email]': alice.email, 'user[password]': alice.password } })
  expect(consent.html).toContain('Authorize')
  const done = await browser.submit(0, { button: 'Authorize' })
  const code = new URL(done.url).searchParams.get('code') ?? ''
  expect(done.html).toContain(code)
  expect(code).toMatch(/^[\w-]{20,}$/)
  const oauth = createOAuthAPIClient({ url: product.origin })
  const token = await oauth.token.create({
    clientId: app.clientId ?? '',
    clientSecret: app.clientSecret ?? '',
    redirectUri: 'urn:ietf:wg:oauth:2.0:oob',
    grantType: 'authorization_code',
    code,
  })
  const me = await createRestAPIClient({
    url: product.origin,
    accessToken: token.accessToken,
  }).v1.accounts.verifyCredentials()
  expect(me.username).toBe('alice')
})

test('posts, and the status is in the home timeline of a follower', async () => {
  await bob.api.v1.accounts.$select(alice.id).follow()
  const status = await alice.api.v1.statuses.create({ status: 'Hello from a #client to @bob', visibility: 'public' })
  expect(status.content).toContain('<p>Hello from a')
  await product.waitForIdle()
  const home = await bob.api.v1.timelines.home.list()
  expect(home.map((one) => one.id)).toEqual([status.id])
  const notifications = await bob.api.v1.notifications.list()
  expect(notifications.map((one) => one.type)).toEqual(['mention'])
})

test('streams an update, a notification and a delete', async () => {
  const instance = await alice.api.v2.instance.fetch()
  const streaming = createStreamingAPIClient({
    streamingApiUrl: instance.configuration.urls.streaming,
    accessToken: bob.token,
  })
  using events = streaming.user.subscribe()
  const seen: string[] = []
  const reading = (async () => {
    for await (const event of events) {
      seen.push(event.event)
      if (seen.includes('update') && seen.includes('notification') && seen.includes('delete')) break
    }
  })()
  // The library chooses the time of its connection, so statuses are created and deleted until the stream receives one.
  await expect
    .poll(
      async () => {
        const { id } = await alice.api.v1.statuses.create({ status: 'Live for @bob', visibility: 'public' })
        await product.waitForIdle()
        await alice.api.v1.statuses.$select(id).remove()
        await product.waitForIdle()
        return seen
      },
      { interval: 500 },
    )
    .toEqual(expect.arrayContaining(['update', 'notification', 'delete']))
  await reading
  expect(new Set(seen)).toEqual(new Set(['update', 'notification', 'delete']))
  streaming.close()
})

test('uploads a picture and posts it', async () => {
  const picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#207070' } })
    .jpeg()
    .toBuffer()
  const media = await alice.api.v2.media.create({
    file: new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }),
    description: 'a plain surface',
  })
  expect(media.type).toBe('image')
  const status = await alice.api.v1.statuses.create({ status: 'A picture', mediaIds: [media.id] })
  expect(status.mediaAttachments[0]).toMatchObject({ id: media.id, description: 'a plain surface' })
  const file = await fetch(status.mediaAttachments[0]?.url ?? '', { headers: { range: 'bytes=0-9' } })
  expect(file.status).toBe(206)
  expect(file.headers.get('cache-control')).toContain('immutable')
})

test('favourites, boosts and bookmarks, and undoes each', async () => {
  const status = await alice.api.v1.statuses.create({ status: 'Something to like' })
  const bobs = bob.api.v1.statuses.$select(status.id)
  expect(await bobs.favourite()).toMatchObject({ favourited: true, favouritesCount: 1 })
  expect((await bobs.reblog()).reblog).toMatchObject({ id: status.id, reblogged: true })
  expect(await bobs.bookmark()).toMatchObject({ bookmarked: true })
  await product.waitForIdle()
  expect((await alice.api.v1.notifications.list()).map((one) => one.type)).toEqual(
    expect.arrayContaining(['favourite', 'reblog', 'follow']),
  )
  expect(await bobs.unfavourite()).toMatchObject({ favourited: false, favouritesCount: 0 })
  expect(await bobs.unreblog()).toMatchObject({ reblogged: false })
  expect(await bobs.unbookmark()).toMatchObject({ bookmarked: false })
})
