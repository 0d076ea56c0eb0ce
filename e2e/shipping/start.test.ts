/**
 * Every role starts with exactly the settings of the rendered chart, and together they form a working instance. Different on this
 * machine: ports, host names, TLS of the stores, and the mode, because production mode reaches no server on loopback.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@murmuration/testkit'
import { makeActivity } from '@murmuration/testkit/outside/remote-actor'
import { type RemoteServer, startRemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyOf, lookUp, mark, type Role, roles } from './rendered.js'
import { buildPrograms, type RenderedProcess, runProgram, startRendered } from './rendered-process.js'
import { type RenderedStores, startRenderedStores } from './rendered-stores.js'

const eventually = async <T>(what: string, look: () => Promise<T | null | false>): Promise<T> => {
  const until = Date.now() + 550_000
  let last: unknown = 'nothing was found'
  while (Date.now() < until) {
    try {
      const found = await look()
      if (found) return found
    } catch (error) {
      last = error
    }
    await sleep(700)
  }
  throw new Error(`${what}: not within 300 s`, { cause: last })
}

describe(`${mark}the small overlay, with a volume for media`, () => {
  const running = new Map<string, RenderedProcess>()
  const http = new Map<string, number>()
  let stores: RenderedStores
  let remote: RemoteServer
  let media: string
  let common: Record<string, string>

  const start = async (role: Role): Promise<RenderedProcess> => {
    const { of, pod } = await lookUp('small')
    const process = await startRendered({
      pod: pod('Deployment', keyOf(role)),
      config: of('ConfigMap')[0]?.data as Record<string, string>,
      secrets: stores.secrets,
      claims: { 'murmuration-media': media },
      healthPort: await freePort(),
      other: { ...common, ...(role.http && { PORT: String(http.get(keyOf(role))) }) },
    })
    running.set(keyOf(role), process)
    return process
  }
  const find = (key: string): Role => {
    const role = roles.find((one) => keyOf(one) === key)
    if (!role) throw new Error(`there is no role ${key}`)
    return role
  }
  const readiness = async (process: RenderedProcess) => {
    if (process.ended() !== null) throw new Error(`it ended with ${process.ended()}:\n${process.said()}`)
    const answer = await fetch(`http://127.0.0.1:${process.healthPort}/readyz`)
    return { status: answer.status, body: (await answer.json()) as { reasons?: Record<string, string> } }
  }

  beforeAll(async () => {
    await buildPrograms()
    ;[stores, remote, media] = await Promise.all([
      startRenderedStores(),
      startRemoteServer(),
      mkdtemp(join(tmpdir(), 'murmuration-media-')),
    ])
    for (const role of roles) if (role.http) http.set(keyOf(role), await freePort())
    common = {
      MODE: 'test',
      BIND: '127.0.0.1',
      LOCAL_DOMAIN: `localhost:${http.get('gateway-federation')}`,
      OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8',
      NATS_REPLICAS: '1',
      NATS_STREAM_BYTES: '67108864',
      DB_POOL: '2',
      SMTP_SERVER: '',
      // In production, which the chart sets, no folder for e-mails is used.
      MAIL_DIR: join(media, 'mail'),
    }
    // A few at a time, because on two cores that is faster than all at once.
    const waiting = [...roles]
    const take = async () => {
      for (let role = waiting.shift(); role; role = waiting.shift()) {
        const process = await start(role)
        for (const until = Date.now() + 60_000; Date.now() < until && process.ended() === null; await sleep(100))
          if ((await readiness(process).catch(() => null))?.status === 200) break
      }
    }
    await Promise.all([take(), take(), take(), take()])
  })

  afterAll(async () => {
    await Promise.all([...running.values()].map((process) => process.stop()))
    await remote?.close()
    await stores?.stop()
    if (media) await rm(media, { recursive: true, force: true })
  })

  test.each(roles.map((role) => [`${role.service}:${role.role}`, keyOf(role)] as const))(
    '%s becomes ready',
    async (_name, key) => {
      const process = running.get(key)
      if (!process) throw new Error('it was not started')
      const found = await eventually(`${key} is ready`, async () => {
        if (process.ended() !== null) return { status: 0, said: process.said() }
        const { status, body } = await readiness(process)
        return status === 200 ? { status } : Promise.reject(new Error(JSON.stringify(body)))
      })
      expect(found).toEqual({ status: 200 })
    },
  )

  // biome-ignore lint/suspicious/noExplicitAny: entities of every kind.
  const request = async (token: string | undefined, path: string, init: RequestInit = {}): Promise<any> => {
    const answer = await fetch(`http://127.0.0.1:${http.get('gateway-client')}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
  const ctl = async (...words: string[]) => {
    const secretKeyBase = stores.secrets.murmuration?.SECRET_KEY_BASE
    const env = { PATH: process.env.PATH, ...common, NATS_URL: stores.natsUrl, NATS_USERS: 'derived' }
    const printed = await runProgram('ctl', [...words, '--json'], { ...env, SECRET_KEY_BASE: secretKeyBase })
    return JSON.parse(printed) as Record<string, string>
  }
  /** Creates an account. Returns its token. */
  const register = async (name: string): Promise<string> => {
    await ctl('account', 'create', name, '--email', `${name}@mail.example`, '--confirmed')
    return (await ctl('token', 'create', name)).token ?? ''
  }
  const post = (token: string, status: string) =>
    request(token, '/api/v1/statuses', { method: 'POST', body: JSON.stringify({ status }) })

  test('a post is streamed to a follower and is in the home timeline', async () => {
    const [alice, bob] = [await register('alice'), await register('bob')]
    const { id } = await request(alice, '/api/v1/accounts/verify_credentials')
    await request(bob, `/api/v1/accounts/${id}/follow`, { method: 'POST' })
    await request(bob, '/api/v1/timelines/home').catch(() => null)
    const ending = new AbortController()
    const stream = await fetch(`http://127.0.0.1:${http.get('streaming-ws')}/api/v1/streaming/user`, {
      headers: { authorization: `Bearer ${bob}` },
      signal: ending.signal,
    })
    expect(stream.status).toBe(200)
    const posted = await post(alice, 'posted through the chart')
    let heard = ''
    for await (const bytes of stream.body ?? []) {
      heard += Buffer.from(bytes).toString()
      if (heard.includes('event: update') && heard.includes(posted.id)) break
    }
    ending.abort()
    const home = await eventually('the post is in the home feed', async () => {
      const entries = await request(bob, '/api/v1/timelines/home')
      return entries.length ? entries : null
    })
    expect(home[0]).toMatchObject({ id: posted.id })
  })

  test('a post is delivered to a follower on another server', async () => {
    const dora = await register('dora')
    const { id } = await request(dora, '/api/v1/accounts/verify_credentials')
    const carol = await remote.addActor('carol')
    const document = await fetch(
      `http://${common.LOCAL_DOMAIN}/.well-known/webfinger?resource=acct:dora@${common.LOCAL_DOMAIN}`,
    )
    const { links } = (await document.json()) as { links: { rel: string; href: string }[] }
    const actor = links.find(({ rel }) => rel === 'self')?.href ?? ''
    const sent = await remote.send(makeActivity(carol, 'Follow', actor), `${actor}/inbox`, { as: carol })
    expect(sent.status).toBe(202)
    await remote.inbox.next((one) => one.activity.type === 'Accept', 120_000)
    expect(await request(dora, `/api/v1/accounts/${id}/followers`)).toHaveLength(1)
    const posted = await post(dora, 'delivered through the chart')
    const created = await remote.inbox.next((one) => one.activity.type === 'Create', 120_000)
    expect(created.activity.object).toMatchObject({ id: posted.uri })
  })

  test.each(['gateway-client', 'gateway-federation'])('%s redirects from the feed below /users/', async (role) => {
    const answer = await fetch(`http://127.0.0.1:${http.get(role)}/users/alice.rss`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([301, expect.stringMatching(/\/@alice\.rss$/)])
  })

  test('rate limits are counted in Redis for all processes together', async () => {
    const answer = await fetch(`http://127.0.0.1:${http.get('gateway-client')}/api/v1/instance`)
    expect(answer.status).toBe(200)
    expect(Number(answer.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0)
    for (const [key, process] of running)
      expect([key, (await readiness(process)).body.reasons]).toEqual([key, undefined])
  })

  test('a role whose Redis user may not use its keys exits at startup with a one-line message', async () => {
    await stores.setRedisUser('streaming', 'resetkeys', '~elsewhere:*')
    const key = 'streaming-ws'
    await running.get(key)?.stop()
    const process = await start(find(key))
    await eventually('it ends', async () => process.ended() !== null)
    expect(process.ended()).toBe(1)
    // The log is another stream, so its lines may be printed after the error.
    const lines = process.said().trim().split('\n')
    expect(lines.filter((line) => !line.startsWith('{')).at(-1)).toMatch(
      /^REDIS_URL does not let streaming do its work: Redis responds "NOPERM .*"\.$/,
    )
  })

  test('a running role that Redis refuses is not ready, reports the reason, and becomes ready again', async () => {
    const process = running.get('gateway-client')
    if (!process) throw new Error('it was not started')
    await stores.setRedisUser('gateway', 'resetkeys', '~elsewhere:*')
    const refused = await eventually('it is not ready', async () => {
      const state = await readiness(process)
      return state.status === 503 && state
    })
    expect(refused.body.reasons?.['gateway.redis']).toMatch(/^NOPERM /)
    await stores.setRedisUser('gateway', 'resetkeys', '~gateway:*')
    await eventually('it is ready again', async () => (await readiness(process)).status === 200)
  })
})
