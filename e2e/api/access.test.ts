/** Access to data of other accounts, and of anonymous viewers to private data, tested over HTTP on all services. */

import { randomBytes } from 'node:crypto'
import { createAccountByOperator, createTokenByOperator } from '@murmuration/contracts/accounts'
import { limits } from '@murmuration/contracts/limits'
import { routedOperations } from '@murmuration/contracts/registry'
import { mapLimited } from '@murmuration/flow'
import { startCluster } from '@murmuration/testkit'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadAll } from '../../bin/services.js'

interface StubResponse {
  status: number
  type: string
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: entities of every kind.
  json: any
}

const start = async (env: Record<string, string> = {}) => {
  const cluster = await startCluster({
    apps: await loadAll(),
    env: { RATE_LIMITS: 'off', MEDIA_FFMPEG: 'off', ...env },
  })
  const password = randomBytes(12).toString('hex')
  const sendRequest = async (
    method: string,
    path: string,
    { bearer, form, json, accept }: { bearer?: string; form?: FormData; json?: object; accept?: string } = {},
  ): Promise<StubResponse> => {
    const answer = await fetch(cluster.origin + path, {
      method,
      redirect: 'manual',
      ...(form && { body: form }),
      ...(json && { body: JSON.stringify(json) }),
      headers: {
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(json && { 'content-type': 'application/json' }),
        ...(accept && { accept }),
      },
    })
    const text = await answer.text()
    const type = answer.headers.get('content-type') ?? ''
    return {
      ...{ status: answer.status, headers: answer.headers, type, text },
      json: type.includes('json') && text ? JSON.parse(text) : null,
    }
  }
  const person = async (username: string): Promise<string> => {
    const email = `${username}@mail.example`
    await cluster.call(createAccountByOperator, { username, email, confirmed: true, password })
    return (await cluster.call(createTokenByOperator, { username, scopes: 'read write follow push' })).token
  }
  return { cluster, request: sendRequest, person, password }
}
type Setup = Awaited<ReturnType<typeof start>>

describe('an open server', () => {
  let setup: Setup
  let [alice, bob, carol] = ['', '', '']
  beforeAll(async () => {
    setup = await start()
    ;[alice, bob, carol] = [await setup.person('alice'), await setup.person('bob'), await setup.person('carol')]
  })
  afterAll(() => setup?.cluster.stop())
  const post = async (bearer: string, json: object) =>
    (await setup.request('POST', '/api/v1/statuses', { bearer, json })).json as { id: string; uri: string }

  test('A047 feeds contain public statuses only', async () => {
    await post(alice, { status: 'for all #cats' })
    await post(alice, { status: 'for followers #cats', visibility: 'private' })
    await post(alice, { status: '@zoe only #cats', visibility: 'direct' })
    await setup.cluster.waitForIdle()
    for (const path of ['/@alice.rss', '/@alice/with_replies.rss', '/tags/cats.rss'])
      for (const bearer of [alice, bob, undefined]) {
        const { status, text } = await setup.request('GET', path, { ...(bearer && { bearer }) })
        expect([status, text.includes('for all'), text.includes('for followers'), text.includes('only')]).toEqual([
          200,
          true,
          false,
          false,
        ])
      }
    expect((await setup.request('GET', '/users/alice.rss')).status).toBe(301)
    expect((await setup.request('GET', '/@alice.atom')).status).toBe(404)
  })

  test('A049 a quote of a boost quotes the original, with the policy of its author', async () => {
    const closed = await post(alice, { status: 'quote me not', quote_approval_policy: 'nobody' })
    const boost = (await setup.request('POST', `/api/v1/statuses/${closed.id}/reblog`, { bearer: bob })).json as {
      id: string
    }
    for (const quoted_status_id of [closed.id, boost.id]) {
      const refused = await setup.request('POST', '/api/v1/statuses', {
        bearer: carol,
        json: { status: 'q', quoted_status_id },
      })
      expect([403, 404, 422]).toContain(refused.status)
    }
  })

  test('A052 announcements require a signed-in account', async () => {
    expect([401, 422]).toContain((await setup.request('GET', '/api/v1/announcements')).status)
  })

  test('A061 a conversation belongs to one account', async () => {
    await post(alice, { status: '@bob between us', visibility: 'direct' })
    await setup.cluster.waitForIdle()
    const [own] = (await setup.request('GET', '/api/v1/conversations', { bearer: bob })).json as { id: string }[]
    expect(own).toBeDefined()
    for (const [method, path] of [
      ['POST', `/api/v1/conversations/${own?.id}/read`],
      ['POST', `/api/v1/conversations/${own?.id}/unread`],
      ['DELETE', `/api/v1/conversations/${own?.id}`],
    ] as const)
      expect((await setup.request(method, path, { bearer: carol })).status).toBe(404)
    expect((await setup.request('GET', '/api/v1/conversations', { bearer: bob })).json).toMatchObject([{ id: own?.id }])
  })

  test('A062 unfollowing a hashtag changes no follow of another account', async () => {
    for (const bearer of [alice, bob]) await setup.request('POST', '/api/v1/tags/cats/follow', { bearer })
    await setup.request('POST', '/api/v1/tags/cats/unfollow', { bearer: alice })
    const followed = async (bearer: string) =>
      ((await setup.request('GET', '/api/v1/followed_tags', { bearer })).json as { name: string }[]).map(
        ({ name }) => name,
      )
    expect([await followed(alice), await followed(bob)]).toEqual([[], ['cats']])
  })

  test('A073 private responses are not cached for the next caller', async () => {
    const own = await post(alice, { status: 'only followers', visibility: 'private' })
    const document = new URL(own.uri).pathname
    const accept = 'application/activity+json'
    const read = await setup.request('GET', `/api/v1/statuses/${own.id}`, { bearer: alice })
    expect([read.status, read.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    for (const path of [`/api/v1/statuses/${own.id}`, document, `/@alice/${own.id}`])
      expect((await setup.request('GET', path, { accept })).status).toBe(404)
  })

  test('A118 A175 files are served from fixed lists, not from paths of the request', async () => {
    for (const style of ['x/../../internal', 'original%2f..%2f..', 'small?url=http://10.0.0.9', '..%5c..'])
      expect([400, 404]).toContain((await setup.request('GET', `/media/${style}`)).status)
  })

  test('A119 a handle at an IP address is not found, and no request is sent', async () => {
    for (const q of ['@a@127.0.0.1', '@a@[::1]', '@a@10.0.0.9:80', '@zoe@localhost', '@a@0x7f.1']) {
      const query = new URLSearchParams({ q, resolve: 'true', type: 'accounts' })
      const found = await setup.request('GET', `/api/v2/search?${query}`, { bearer: alice })
      expect([found.status, found.json?.accounts]).toEqual([200, []])
    }
  })

  test('A126 an HTML document named as a picture is refused, and files are never served as documents', async () => {
    const upload = async (bytes: Uint8Array<ArrayBuffer>, name: string, type: string) => {
      const form = new FormData()
      form.append('file', new File([bytes], name, { type }))
      return setup.request('POST', '/api/v2/media', { bearer: alice, form })
    }
    const document = Buffer.from('{"@context":"https://www.w3.org/ns/activitystreams","type":"Person"}')
    expect((await upload(new Uint8Array(document), 'a.png', 'image/png')).status).toBe(422)
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const stored = await upload(new Uint8Array(picture), 'a.json', 'application/activity+json')
    expect([200, 202]).toContain(stored.status)
    await setup.cluster.waitForIdle()
    const { url } = (await setup.request('GET', `/api/v1/media/${stored.json.id}`, { bearer: alice })).json as {
      url: string
    }
    const file = await setup.request('GET', new URL(url).pathname)
    expect([file.status, file.type]).toEqual([200, 'image/png'])
  })

  test('A145 every upload refuses a picture one byte above the limit', async () => {
    const profile = '/api/v1/accounts/update_credentials'
    const uploads = [
      ['POST', '/api/v2/media', 'file', limits.media.videoBytes],
      ['POST', '/api/v1/media', 'file', limits.media.imageBytes],
      ['PATCH', profile, 'avatar', limits.accounts.avatarBytes],
      ['PATCH', profile, 'header', limits.accounts.headerBytes],
    ] as const
    for (const [method, path, field, max] of uploads) {
      const form = new FormData()
      form.append(field, new File([new Uint8Array(max + 1)], 'a.png', { type: 'image/png' }))
      expect([413, 422], `${method} ${path}`).toContain(
        (await setup.request(method, path, { bearer: alice, form })).status,
      )
    }
  })
})

describe('a server that requires sign-in', () => {
  let setup: Setup
  let alice = ''
  beforeAll(async () => {
    setup = await start({ DISALLOW_UNAUTHENTICATED_API_ACCESS: 'true' })
    alice = await setup.person('alice')
  })
  afterAll(() => setup?.cluster.stop())

  test('A080 an anonymous viewer gets the instance metadata and sign-in, and nothing else', async () => {
    const { id } = (
      await setup.request('POST', '/api/v1/statuses', { bearer: alice, json: { status: 'inside words' } })
    ).json
    const reads = routedOperations().flatMap((operation) =>
      operation.http
        .filter(({ method, path }) => method === 'GET' && path.startsWith('/api/'))
        .map(({ path }) => ({ path, asked: path.replace(/:\w+/g, id) })),
    )
    const open: string[] = []
    await mapLimited(reads, 8, async ({ path, asked }) => {
      if ((await setup.request('GET', asked)).status < 400) open.push(path)
    })
    expect(open.sort()).toEqual(OPEN)
  })

  test('A074 no page, preview or embed shows statuses for members only', async () => {
    const { id } = (
      await setup.request('POST', '/api/v1/statuses', { bearer: alice, json: { status: 'inside words' } })
    ).json
    const url = encodeURIComponent(`${setup.cluster.origin}/@alice/${id}`)
    const paths = ['/', '/@alice', `/@alice/${id}`, `/@alice/${id}/embed`, '/tags/cats', `/api/oembed?url=${url}`]
    for (const path of paths)
      expect((await setup.request('GET', path, { accept: 'text/html' })).text, path).not.toContain('inside words')
  })
})

/** Metadata of the instance, and endpoints that an application needs before sign-in. */
const OPEN = [
  '/api/v1/custom_emojis',
  '/api/v1/instance',
  '/api/v1/instance/activity',
  '/api/v1/instance/extended_description',
  '/api/v1/instance/languages',
  '/api/v1/instance/peers',
  '/api/v1/instance/privacy_policy',
  '/api/v1/instance/rules',
  '/api/v1/instance/translation_languages',
  '/api/v1/peers/search',
  '/api/v2/instance',
]
