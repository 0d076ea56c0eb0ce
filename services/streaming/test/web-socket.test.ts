/** WebSockets: authorization, events, and how connections end. */
import { type IncomingHttpHeaders, request } from 'node:http'
import { StreamError } from '@murmuration/contracts/entities'
import type { LiveMessage } from '@murmuration/contracts/statuses'
import { type BaseContext, registry } from '@murmuration/kernel'
import { openStream, type StreamingClient } from '@murmuration/testkit/ws/streaming-client'
import { tagToken } from '@murmuration/text/tag-token'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { GAP_EVERY_MS } from '../src/connection/gap.js'
import { type Harness, startHarness } from './harness.js'

/** Members of every error except its text. */
const named = (code: string) => ({ code, request_id: expect.stringMatching(/^[\w-]{8,64}$/) })

let harness: Harness
const open: StreamingClient[] = []
beforeAll(async () => {
  harness = await startHarness({ STREAMING_MAX_BUFFERED: '65536' })
})
afterAll(() => harness.stop())
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
  harness.hidden.clear()
  harness.broken.clear()
  harness.rendered.length = 0
  harness.stale = false
})

const connect = async (
  fakeAccount: string,
  query: Record<string, string> = {},
  scopes?: string[],
): Promise<StreamingClient> => {
  const stream = await openStream(`${harness.origin}/api/v1/streaming`, {
    token: harness.token(fakeAccount, scopes),
    query,
  })
  open.push(stream)
  return stream
}
/**
 * Resolves shortly after the server has processed everything that was sent before. Unwanted events had time to arrive; tests wait
 * separately for wanted ones.
 */
const settled = async (...streams: StreamingClient[]) => {
  for (const stream of streams) await stream.settled()
  await harness.listening()
  await new Promise((resolve) => setTimeout(resolve, 150))
}
const user = (fakeAccount: string, message: LiveMessage) =>
  harness.publish('statuses', `live.user.${fakeAccount}`, message)
const seen = (stream: StreamingClient) => stream.events.all.map((one) => [one.stream.join(' '), one.event, one.text])

describe('grants of streams', () => {
  const tellAll = (id: string) => {
    user('1', { e: 'update', id })
    user('1', { e: 'notification', id: `5${id}` })
    user('1', { e: 'conversation', id: `6${id}` })
    harness.publish('statuses', 'live.public.local', { e: 'update', id, local: true, media: false })
  }

  test('a refused grant is renewed, and the event is received', async () => {
    harness.stale = true
    const stream = await connect('1', { stream: 'user' })
    stream.subscribe('public')
    stream.subscribe('direct')
    await settled(stream)
    harness.stale = false
    tellAll('31')
    await stream.next('conversation')
    await settled(stream)
    const events = stream.events.all.map((one) => `${one.stream.join(' ')} ${one.event}`).sort()
    expect(events).toEqual(['direct conversation', 'public update', 'user notification', 'user update'])
  })

  test('an account whose grants stay refused gets a gap and no status', async () => {
    harness.stale = true
    const stream = await connect('1', { stream: 'user' })
    stream.subscribe('public')
    await settled(stream)
    tellAll('32')
    await stream.next('gap')
    await settled(stream)
    const events = new Set(stream.events.all.map((one) => `${one.stream.join(' ')} ${one.event}`))
    expect(events).toEqual(new Set(['user gap', 'public gap']))
  })

  test('a refused grant of one account does not lose events of others', async () => {
    const other = await connect('3', { stream: 'user' })
    other.subscribe('public')
    await settled(other)
    harness.stale = true
    const stream = await connect('1', { stream: 'user' })
    stream.subscribe('public')
    await settled(stream)
    user('1', { e: 'update', id: '33' })
    user('3', { e: 'update', id: '33' })
    harness.publish('statuses', 'live.public.local', { e: 'update', id: '33', local: true, media: false })
    await stream.next('gap')
    await settled(stream, other)
    expect(new Set(seen(stream).map(([name, event]) => `${name} ${event}`))).toEqual(
      new Set(['user gap', 'public gap']),
    )
    expect(
      seen(other)
        .map(([name, event]) => `${name} ${event}`)
        .sort(),
    ).toEqual(['public update', 'user update'])
  })
})

describe('S-002 S-189 events of one account', () => {
  test('have their payload and a position, in the order of the log', async () => {
    const stream = await connect('1', { stream: 'user' })
    await settled(stream)
    user('1', { e: 'update', id: '11' })
    user('1', { e: 'notification', id: '5' })
    user('1', { e: 'status.update', id: '11' })
    user('1', { e: 'delete', id: '11' })
    user('1', { e: 'notifications_merged' })
    user('1', { e: 'filters_changed' })
    user('1', { e: 'conversation', id: '6' })
    user('2', { e: 'update', id: '12' })
    await stream.next('filters_changed')
    await settled(stream)
    expect(stream.events.all.map((one) => one.event)).toEqual([
      'update',
      'notification',
      'status.update',
      'delete',
      'notifications_merged',
      'filters_changed',
    ])
    const [update, notification, , gone, merged, filters] = stream.events.all
    expect(update?.payload).toMatchObject({ id: '11', content: '<p>x</p>', filtered: [] })
    expect(notification?.payload).toMatchObject({ id: '5', type: 'follow' })
    expect(gone?.text).toBe('11')
    expect(merged?.text).toBe('1')
    expect(filters?.text).toBeUndefined()
    expect(new Set(stream.events.all.map((one) => one.stream.join()))).toEqual(new Set(['user']))
    const positions = stream.events.all.map((one) => Number(one.id))
    expect(positions).toEqual([...positions].sort((a, b) => a - b))
    expect(positions.every((one) => one > 0)).toBe(true)
  })

  test('S-180 an account gets no status that it may not see, and its own viewer state in those that it may', async () => {
    const [one, two] = [await connect('1', { stream: 'user' }), await connect('2', { stream: 'user' })]
    await settled(one, two)
    harness.hidden.add('21:1')
    for (const fakeAccount of ['1', '2']) user(fakeAccount, { e: 'update', id: '21' })
    for (const fakeAccount of ['1', '2']) user(fakeAccount, { e: 'update', id: '22' })
    await Promise.all([one.events.reached(1), two.events.reached(2)])
    await settled(one, two)
    expect(one.events.all.map((event) => event.payload as { id: string; muted: boolean })).toMatchObject([
      { id: '22', muted: false },
    ])
    expect(two.events.all.map((event) => event.payload as { id: string })).toMatchObject([
      { id: '21', muted: true },
      { id: '22' },
    ])
  })

  test('notifications need their scope, and edits that mention an account reach it alone', async () => {
    const all = await connect('3', { stream: 'user' })
    all.subscribe('user:notification')
    const posts = await connect('3', { stream: 'user' }, ['read:statuses'])
    const bells = await connect('3', { stream: 'user:notification' }, ['read:notifications'])
    await settled(all, posts, bells)
    user('3', { e: 'update', id: '31' })
    user('3', { e: 'notification', id: '7' })
    user('3', { e: 'status.update', id: '32' })
    user('3', { e: 'status.update', id: '33', to: 'notification' })
    user('3', { e: 'status.update', id: '34', to: 'both' })
    await Promise.all([all.events.reached(7), posts.events.reached(3), bells.events.reached(3)])
    await settled(all, posts, bells)
    const short = (stream: StreamingClient) =>
      stream.events.all.map((one) => `${one.stream} ${one.event} ${(one.payload as { id: string }).id}`)
    expect(short(posts)).toEqual(['user update 31', 'user status.update 32', 'user status.update 34'])
    const rung = [
      'user:notification notification 7',
      'user:notification status.update 33',
      'user:notification status.update 34',
    ]
    expect(short(bells)).toEqual(rung)
    expect(short(all).sort()).toEqual([...short(posts), 'user notification 7', ...rung].sort())
  })

  test('S-095 conversations are rendered for their owner', async () => {
    const stream = await connect('4', { stream: 'direct' })
    await settled(stream)
    user('4', { e: 'conversation', id: '41' })
    user('4', { e: 'update', id: '42' })
    expect(await stream.next('conversation')).toMatchObject({
      stream: ['direct'],
      payload: { id: '41', unread: true, accounts: [{ id: '4' }], last_status: null },
    })
    await settled(stream)
    expect(stream.events.all.length).toBe(1)
  })

  test('S-182 announcements are sent to all accounts, and a removal contains only the id', async () => {
    const streams = [await connect('1', { stream: 'user' }), await connect('2', { stream: 'user' })]
    const other = await connect('1', { stream: 'public' })
    await settled(...streams, other)
    const say = (message: LiveMessage) => harness.publish('admin', 'live.everyone.announcement', message)
    say({ e: 'announcement', payload: '{"id":"8","content":"hello"}' })
    say({ e: 'announcement.reaction', payload: '{"name":"👍","count":0,"announcement_id":"8"}' })
    say({ e: 'announcement.delete', id: '8' })
    await Promise.all(streams.map((stream) => stream.events.reached(3)))
    await settled(...streams, other)
    for (const stream of streams)
      expect(seen(stream)).toEqual([
        ['user', 'announcement', '{"id":"8","content":"hello"}'],
        ['user', 'announcement.reaction', '{"name":"👍","count":0,"announcement_id":"8"}'],
        ['user', 'announcement.delete', '8'],
      ])
    expect(seen(other)).toEqual([])
  })
})

describe('public streams', () => {
  test('local, remote and media streams get their statuses, and all get removals', async () => {
    const names = [
      'public',
      'public:media',
      'public:local',
      'public:local:media',
      'public:remote',
      'public:remote:media',
    ]
    const streams = await Promise.all(names.map((stream) => connect('1', { stream })))
    await settled(...streams)
    const say = (where: 'local' | 'remote', message: LiveMessage) =>
      harness.publish('statuses', `live.public.${where}`, { ...message, local: where === 'local' })
    say('local', { e: 'update', id: '51', media: false })
    say('local', { e: 'update', id: '52', media: true })
    say('remote', { e: 'status.update', id: '53', media: true })
    say('remote', { e: 'delete', id: '54', media: false })
    await Promise.all([4, 3, 2, 1, 2, 2].map((count, i) => streams[i]?.events.reached(count)))
    await settled(...streams)
    // The order is kept within each subject.
    const ids = streams.map((one) =>
      one.events.all
        .map((event) => (event.event === 'delete' ? event.text : (event.payload as { id: string }).id))
        .sort(),
    )
    expect(ids).toEqual([
      ['51', '52', '53', '54'],
      ['52', '53', '54'],
      ['51', '52'],
      ['52'],
      ['53', '54'],
      ['53', '54'],
    ])
    expect(streams.map((one) => one.events.all[0]?.stream)).toEqual(names.map((name) => [name]))
    expect(streams[0]?.events.all.every((event) => event.id === undefined)).toBe(true)
  })

  test('S-180 one request renders a status for all listeners, without those who may not see it', async () => {
    const [one, two] = [await connect('1', { stream: 'public' }), await connect('2', { stream: 'public' })]
    await settled(one, two)
    harness.hidden.add('55:2')
    harness.publish('statuses', 'live.public.local', { e: 'update', id: '55', local: true, media: false })
    await one.events.reached(1)
    await settled(one, two)
    expect([one.events.all.length, two.events.all.length]).toEqual([1, 0])
    expect(harness.rendered).toEqual(['public:55'])
  })

  test('events of a tag contain it in the spelling of the client', async () => {
    const stream = await connect('1')
    stream.subscribe('hashtag', { tag: 'ÉTÉ' })
    stream.subscribe('hashtag:local', { tag: 'été' })
    stream.send(JSON.stringify({ type: 'subscribe', stream: ['public:remote', 'ignored'] }))
    await settled(stream)
    const subject = (tag: string) => `live.tag.${Buffer.from(tag).toString('base64url')}`
    harness.publish('statuses', subject('ete'), { e: 'update', id: '61', local: false })
    harness.publish('statuses', subject('ete'), { e: 'update', id: '62', local: true })
    await stream.events.reached(3)
    await settled(stream)
    expect(stream.events.all.map((one) => [...one.stream, (one.payload as { id: string }).id]).sort()).toEqual(
      [
        ['hashtag', 'ÉTÉ', '61'],
        ['hashtag', 'ÉTÉ', '62'],
        ['hashtag:local', 'été', '62'],
      ].sort(),
    )
  })
})

test('a hashtag of thousands of letters does not end the bus connection', async () => {
  const [long, other] = [await connect('1'), await connect('2', { stream: 'public' })]
  const tag = 'x'.repeat(5_000)
  long.subscribe('hashtag', { tag })
  await settled(long, other)
  harness.publish('statuses', `live.tag.${tagToken(tag)}`, { e: 'update', id: '63', local: true })
  harness.publish('statuses', 'live.public.local', { e: 'update', id: '64', local: true, media: false })
  await long.events.reached(1)
  await other.events.reached(1)
  expect(harness.rendered).toEqual(expect.arrayContaining(['hashtag:63', 'public:64']))
})

describe('lists', () => {
  test('A043 only its owner can stream a list', async () => {
    harness.lists.set('71', '1')
    const [mine, foreign] = [await connect('1'), await connect('2')]
    // Some clients send ids as numbers.
    mine.send(JSON.stringify({ type: 'subscribe', stream: 'list', list: 71 }))
    foreign.subscribe('list', { list: '71' })
    foreign.subscribe('list', { list: '72' })
    foreign.subscribe('list', { list: '>' })
    foreign.subscribe('list')
    const refused = { ...named('unauthenticated'), error: 'Not authorized to stream this list', status: 401 }
    for (let i = 0; i < 3; i++) expect(await foreign.errors.next()).toEqual(refused)
    expect(await foreign.errors.next()).toEqual({
      ...named('invalid'),
      error: 'Missing list name parameter',
      status: 400,
    })
    await settled(mine, foreign)
    await harness.listened('live.list.71')
    harness.publish('statuses', 'live.list.71', { e: 'update', id: '73' })
    harness.publish('statuses', 'live.list.71', { e: 'delete', id: '73' })
    await mine.next('delete')
    expect(mine.events.all.map((one) => [one.stream, one.event])).toEqual([
      [['list', '71'], 'update'],
      [['list', '71'], 'delete'],
    ])
    expect(harness.rendered).toEqual(['user:73'])
    expect(foreign.events.all).toEqual([])
  })

  test('a list id that is a JSON number keeps all of its digits', async () => {
    const id = '109876543210987654'
    harness.lists.set(id, '1')
    const mine = await connect('1')
    mine.send(`{"type":"subscribe","stream":"list","list":${id}}`)
    await settled(mine)
    await harness.listened(`live.list.${id}`)
    harness.publish('statuses', `live.list.${id}`, { e: 'delete', id: '74' })
    await mine.next('delete')
    expect(mine.events.all.map((one) => one.stream)).toEqual([['list', id]])
  })
})

describe('commands', () => {
  test('a repeated subscription counts once, unsubscribing ends it, and neither is acknowledged', async () => {
    const stream = await connect('1')
    for (let i = 0; i < 2; i++) stream.subscribe('public:local')
    stream.unsubscribe('public')
    stream.send('no JSON')
    stream.send(JSON.stringify({ type: 'dance' }))
    await settled(stream)
    harness.publish('statuses', 'live.public.local', { e: 'delete', id: '81' })
    await stream.events.reached(1)
    await settled(stream)
    stream.unsubscribe('public:local')
    await settled(stream)
    harness.publish('statuses', 'live.public.local', { e: 'delete', id: '82' })
    await settled(stream)
    expect(seen(stream)).toEqual([['public:local', 'delete', '81']])
    expect(stream.errors.all).toEqual([])
  })

  test('A054 a stream that cannot be opened is refused by a message, and the connection stays open', async () => {
    const stream = await connect('1', {}, ['read:notifications'])
    const refusals: [string, Record<string, string>, { error: string; status: number }][] = [
      ['nothing', {}, { ...named('invalid'), error: 'Unknown stream type', status: 400 }],
      ['hashtag', {}, { ...named('invalid'), error: 'Missing tag name parameter', status: 400 }],
      ['hashtag:local', { tag: '' }, { ...named('invalid'), error: 'Missing tag name parameter', status: 400 }],
      [
        'public',
        {},
        { ...named('unauthenticated'), error: 'Access token does not have the required scopes', status: 401 },
      ],
      [
        'user',
        {},
        { ...named('unauthenticated'), error: 'Access token does not have the required scopes', status: 401 },
      ],
    ]
    for (const [name, params, error] of refusals) {
      stream.subscribe(name, params)
      const sent = await stream.errors.next()
      expect(sent).toEqual(error)
      expect(StreamError.parse(sent)).toEqual(sent)
    }
    stream.subscribe('user:notification')
    await settled(stream)
    expect(stream.errors.all.length).toBe(refusals.length)
    stream.send(Buffer.from('x'))
    expect((await stream.closed).code).toBe(1003)
  })

  test('tokens are read from header, query and sub-protocol; without a valid one nothing opens', async () => {
    const address = `${harness.origin}/api/v1/streaming`
    for (const tokenIn of ['header', 'query', 'protocol'] as const) {
      const token = harness.token('1')
      const stream = await openStream(`${harness.origin}/anywhere`, { token, tokenIn })
      expect(stream.protocol).toBe(tokenIn === 'protocol' ? token : '')
      await stream.close()
    }
    // A query may contain a second question mark.
    const asked = await openStream(`${address}?note=a?&access_token=${harness.token('1')}`)
    await asked.close()
    await expect(openStream(address, {})).rejects.toMatchObject({
      status: 401,
      headers: { 'x-error-message': 'Missing access token' },
    })
    await expect(openStream(address, { token: 'unknown' })).rejects.toMatchObject({
      status: 401,
      headers: { 'x-error-message': 'Invalid access token', connection: 'close' },
    })
    const disabled = harness.token('1')
    Object.assign(harness.tokens.get(disabled) ?? {}, { state: 'disabled' })
    await expect(openStream(address, { token: disabled })).rejects.toMatchObject({ status: 401 })
  })

  const paths: [path: string, status: number][] = [
    ['/api/v1/streaming', 401],
    ['/api/v1/streaming/', 401],
    ['/api/v1/streaming/?stream=user', 401],
    ['/api/v1/streaming/user', 401],
    ['/api/v1/streaming/hashtag/local/', 401],
    ['/', 404],
    ['/anywhere', 404],
    ['/api/v1/streaming/nowhere', 404],
    ['/api/v1/streaming/health', 404],
    ['/api/v1/streaming//user', 404],
    ['/api/v1/streamings', 404],
    ['/api/v2/streaming', 404],
    ['/api/v1/timelines/home', 404],
    ['/oauth/token?stream=user', 404],
  ]
  test.each(paths)('without a valid token, %s is refused with %i', async (path, status) => {
    for (const token of [undefined, 'unknown']) {
      const text = status === 404 ? 'Not Found' : `${token ? 'Invalid' : 'Missing'} access token`
      const refused = await openStream(`${harness.origin}${path}`, { token }).catch((error) => error)
      expect(refused).toMatchObject({
        status,
        headers: {
          'x-error-message': text,
          'content-type': 'application/json; charset=utf-8',
          'x-content-type-options': 'nosniff',
        },
      })
      const code = status === 404 ? 'not_found' : 'unauthenticated'
      expect(JSON.parse(refused.body)).toEqual({ error: text, ...named(code) })
    }
  })

  const handshakes: [name: string, headers: Record<string, string>][] = [
    ['without a key', {}],
    ['with a wrong key', { 'Sec-WebSocket-Key': 'short', 'Sec-WebSocket-Version': '13' }],
    ['of an unknown version', { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version': '14' }],
  ]
  test.each(handshakes)('a handshake %s is refused like other requests, and names the version', async (_, headers) => {
    const [status, received, body] = await new Promise<[number | undefined, IncomingHttpHeaders, string]>(
      (resolve, reject) => {
        const asked = request(`${harness.origin}/api/v1/streaming`, {
          headers: {
            Connection: 'Upgrade',
            Upgrade: 'websocket',
            Authorization: `Bearer ${harness.token('1')}`,
            ...headers,
          },
        })
        asked.on('response', async (response) =>
          resolve([response.statusCode, response.headers, (await response.toArray()).join('')]),
        )
        asked.on('error', reject)
        asked.end()
      },
    )
    expect(received).toMatchObject({
      'sec-websocket-version': '13',
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    expect([status, JSON.parse(body)]).toEqual([400, { error: 'The request is malformed', ...named('invalid') }])
  })

  test('S-024 a blocked IP address is refused with any token', async () => {
    const refused = harness.withIpBlock(() => openStream(`${harness.origin}/`, { token: harness.token('1') }))
    await expect(refused).rejects.toMatchObject({ status: 403, headers: { 'x-error-message': 'Forbidden' } })
  })
})

describe('endings', () => {
  test('S-189 a revoked token closes its connections within five seconds, and no others', async () => {
    const token = harness.token('1')
    const [dead, alive] = [await openStream(`${harness.origin}/`, { token }), await connect('1', { stream: 'user' })]
    const started = performance.now()
    harness.revoke(token)
    expect((await dead.closed).code).toBe(4401)
    expect(performance.now() - started).toBeLessThan(5_000)
    user('1', { e: 'delete', id: '91' })
    expect((await alive.next('delete')).text).toBe('91')
  })

  test('a token that changed and is valid keeps its connections', async () => {
    const token = harness.token('1')
    const stream = await openStream(`${harness.origin}/`, { token, query: { stream: 'user' } })
    open.push(stream)
    await settled(stream)
    harness.invalidation(token)
    await settled(stream)
    user('1', { e: 'delete', id: '92' })
    expect((await stream.next('delete')).text).toBe('92')
  })

  test('a resumed connection gets each missed event once, and one gap if the log starts later', async () => {
    const first = await connect('6', { stream: 'user' })
    await settled(first)
    user('6', { e: 'delete', id: '1' })
    const { id } = await first.next('delete')
    await first.close()
    for (const missed of ['2', '3']) user('6', { e: 'delete', id: missed })
    user('6', { e: 'notification', id: '4' })
    await harness.logged()
    const again = await connect('6', { stream: 'user', since: id ?? '' })
    await again.next('notification')
    user('6', { e: 'delete', id: '5' })
    await again.events.reached(4)
    await settled(again)
    expect(again.events.all.map((one) => one.text?.slice(0, 9))).toEqual(['2', '3', '{"id":"4"', '5'])
    const late = await connect('6', { stream: 'user', since: '999999' })
    expect(await late.next()).toMatchObject({ event: 'gap' })
  })

  test('after Redis lost its data, presence is written again within seconds, and a connection that resumes from before gets a gap', async () => {
    const stream = await connect('61', { stream: 'user' })
    await settled(stream)
    user('61', { e: 'delete', id: '1' })
    const { id } = await stream.next('delete')
    const ctx = harness.cluster.host.running.find((one) => one.service === 'streaming')?.ctx as BaseContext
    const present = () => ctx.redis.run((client) => client.zmScore('streaming:present', ['61', '!']))
    const before = await present()
    await ctx.redis.run((client) => client.del('streaming:present'))
    await expect.poll(present, { interval: 200 }).toEqual([expect.any(Number), expect.any(Number)])
    expect(-Number((await present())[1])).toBeGreaterThan(-Number(before[1]))
    const again = await connect('61', { stream: 'user', since: id ?? '' })
    expect(await again.next()).toMatchObject({ event: 'gap' })
    user('61', { e: 'delete', id: '2' })
    const { id: later } = await again.next('delete')
    const third = await connect('61', { stream: 'user', since: later ?? '' })
    user('61', { e: 'delete', id: '3' })
    expect(await third.next()).toMatchObject({ event: 'delete', text: '3' })
  })
  test('an event that cannot be rendered while resuming is a gap, and the connection continues', async () => {
    const first = await connect('7', { stream: 'user' })
    await settled(first)
    user('7', { e: 'delete', id: '1' })
    const { id } = await first.next('delete')
    await first.close()
    harness.broken.add('66')
    user('7', { e: 'update', id: '66' })
    user('7', { e: 'delete', id: '2' })
    await harness.logged()
    const again = await connect('7', { stream: 'user', since: id ?? '' })
    expect(await again.next('gap', 20_000)).toMatchObject({ stream: ['user'] })
    user('7', { e: 'delete', id: '3' })
    await expect.poll(() => again.events.all.some((one) => one.text === '3')).toBe(true)
  })

  test('events are not rendered for a client that disconnected while it resumed', async () => {
    const first = await connect('64', { stream: 'user' })
    await settled(first)
    user('64', { e: 'delete', id: '1' })
    const { id } = await first.next('delete')
    await first.close()
    for (let missed = 1_000; missed < 1_040; missed++) user('64', { e: 'update', id: String(missed) })
    await harness.logged()
    harness.rendered.length = 0
    harness.renderMs = 50
    const again = await connect('64', { stream: 'user', since: id ?? '' })
    await again.next('update')
    await again.close()
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    harness.renderMs = 0
    expect(harness.rendered.length).toBeLessThan(20)
  })

  test('F070 a client that reads too slowly while it resumes is disconnected before it fills memory', async () => {
    const first = await connect('65', { stream: 'user' })
    await settled(first)
    user('65', { e: 'delete', id: '1' })
    const { id } = await first.next('delete')
    await first.close()
    const payload = 'x'.repeat(20_000)
    for (let missed = 0; missed < 900; missed++) user('65', { e: 'delete', id: '2', payload })
    await harness.logged()
    const slow = await connect('65', { stream: 'user', since: id ?? '' })
    slow.pause()
    await new Promise((resolve) => setTimeout(resolve, 12_000))
    slow.resume()
    const { code } = await slow.closed
    expect([1006, 1013]).toContain(code)
    expect(slow.events.all.length).toBeLessThan(900)
  })

  test('F070 a client that reads too slowly is disconnected before it fills memory', async () => {
    const slow = await connect('1', { stream: 'public' })
    const quick = await connect('2', { stream: 'public' })
    await settled(slow, quick)
    slow.pause()
    // More than the buffers of a connection, in portions that a reading client can receive.
    const payload = 'x'.repeat(4_000)
    const [batches, each] = [500, 10]
    for (let batch = 0; batch < batches; batch++) {
      for (let i = 0; i < each; i++)
        harness.publish('statuses', 'live.public.local', { e: 'delete', id: String(batch), payload })
      await quick.events.reached((batch + 1) * each)
    }
    slow.resume()
    expect(await slow.closed).toMatchObject({ code: expect.any(Number) })
    expect((await slow.closed).code === 1013 || (await slow.closed).code === 1006).toBe(true)
    expect(slow.events.all.length).toBeLessThan(batches * each)
  })

  test('F020 with more events than can be rendered, a bounded number waits, the rest is a gap, and other subjects are unaffected', async () => {
    const before = process.memoryUsage().heapUsed
    const listener = await connect('1', { stream: 'public' })
    const other = await connect('2', { stream: 'hashtag', tag: 'calm' })
    await settled(listener, other)
    harness.renderMs = 200
    const first = Date.now()
    for (let n = 0; n < 10_000; n++) harness.publish('statuses', 'live.public.local', { e: 'update', id: String(n) })
    harness.publish('statuses', `live.tag.${Buffer.from('calm').toString('base64url')}`, { e: 'delete', id: '5' })
    await other.next('delete', 20_000)
    await listener.next('gap', 60_000)
    harness.renderMs = 0
    // The received events are in order, and their number is at most that of waiting events.
    const ids = listener.events.all
      .filter((one) => one.event === 'update')
      .map((one) => Number((one.payload as { id: string }).id))
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(ids.length).toBeGreaterThan(0)
    expect(harness.rendered.length).toBeLessThan(10_000)
    expect(await registry.getSingleMetricAsString('murmuration_streaming_left_out_total')).toMatch(/total [1-9]/)
    expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(200)
    expect(Date.now() - first).toBeLessThan(60_000)
    // Later events arrive again.
    harness.publish('statuses', 'live.public.local', { e: 'update', id: '777777' })
    await expect.poll(() => listener.events.all.some((one) => one.text?.includes('777777'))).toBe(true)
  })

  test('F020 under continuous overload, gaps are sent soon and with a limited rate', async () => {
    const listener = await connect('1', { stream: 'public' })
    await settled(listener)
    harness.renderMs = 300
    const gaps = () => listener.events.all.filter((one) => one.event === 'gap').length
    const first = performance.now()
    let sent = 0
    while (gaps() < 3 && performance.now() - first < 60_000) {
      // More events than may wait, so that it is an overload on any machine.
      for (let n = 0; n < 1_200; n++)
        harness.publish('statuses', 'live.public.local', { e: 'update', id: String(++sent) })
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
    harness.renderMs = 0
    expect(gaps()).toBeGreaterThanOrEqual(3)
    expect(performance.now() - first).toBeGreaterThan(2 * GAP_EVERY_MS - 100)
    // Between two gaps, all events are received in order.
    const ids = listener.events.all
      .filter((one) => one.event === 'update')
      .map((one) => Number((one.payload as { id: string }).id))
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(ids.length).toBeLessThan(sent)
    const whole = ids.filter((id, i) => i === 0 || id !== (ids[i - 1] ?? 0) + 1)
    expect(whole.length).toBeLessThan(ids.length / 100)
  })

  test('F020 events that cannot be rendered cause a gap: the first immediately, later ones together', async () => {
    const open = await connect('1', { stream: 'public' })
    const own = await connect('1', { stream: 'user' })
    await settled(open, own)
    const gaps = (stream: StreamingClient) => stream.events.all.filter((one) => one.event === 'gap').length
    harness.broken.add('67')
    const first = performance.now()
    for (let n = 0; n < 50; n++) {
      harness.publish('statuses', 'live.public.local', { e: 'update', id: '67' })
      user('1', { e: 'update', id: '67' })
      await settled(open, own)
      if (Math.min(gaps(open), gaps(own)) > 1) break
    }
    const max = Math.ceil((performance.now() - first) / GAP_EVERY_MS) + 1
    for (const stream of [open, own]) {
      expect(gaps(stream)).toBeGreaterThan(1)
      expect(gaps(stream)).toBeLessThanOrEqual(max)
      harness.publish('statuses', 'live.public.local', { e: 'delete', id: '5' })
      user('1', { e: 'delete', id: '5' })
      await expect.poll(() => stream.events.all.some((one) => one.event === 'delete')).toBe(true)
    }
  })

  test('F020 an account that gets too many events at once is disconnected and resumes', async () => {
    const listener = await connect('1', { stream: 'user' })
    await settled(listener)
    harness.renderMs = 3_000
    for (let n = 0; n < 1_500; n++) user('1', { e: 'update', id: String(n) })
    expect((await listener.closed).code).toBe(1013)
    harness.renderMs = 0
  })
})
