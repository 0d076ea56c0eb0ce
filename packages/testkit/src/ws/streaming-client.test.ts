// The streaming clients against a small server that speaks the protocol's wire format.
import { createServer, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { listenOn } from '../outside/web-server.js'
import { openEventSource } from './event-source.js'
import { openStream } from './streaming-client.js'

const asked: IncomingMessage[] = []
let origin: string
let port: number
let socket: WebSocket
let stop: () => Promise<void>

beforeAll(async () => {
  const http = createServer((request, response) => {
    asked.push(request)
    if (request.headers.authorization !== 'Bearer good') {
      response.writeHead(401, { 'content-type': 'application/json' })
      return response.end('{"error":"Missing access token"}')
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(':)\n:thump\n\nid: 41\nevent: update\ndata: {"id":"1","content":"h')
    const rest = Buffer.from('é"}\n\nevent: delete\ndata: 110000000000000001\nid: 42\n\nevent: no data\n\n')
    response.write(rest.subarray(0, 1))
    setImmediate(() => response.write(rest.subarray(1)))
  })
  const sockets = new WebSocketServer({ server: http, handleProtocols: (offered) => [...offered][0] ?? false })
  sockets.options.verifyClient = ({ req }, done) => {
    asked.push(req)
    const token = `${req.url}${req.headers.authorization}${req.headers['sec-websocket-protocol']}`
    const known = token.includes('good')
    done(known, 401, '', known ? {} : { 'X-Error-Message': 'Invalid access token' })
  }
  sockets.on('connection', (opened) => {
    socket = opened
    opened.on('message', (data, isBinary) => {
      if (isBinary) return opened.close(1003, 'text only')
      const { type, stream, tag } = JSON.parse(data.toString())
      if (type !== 'subscribe') return
      if (stream === 'nothing') return opened.send('{"error":"Unknown stream type","status":400}')
      const name = tag ? [stream, tag] : [stream]
      opened.send(JSON.stringify({ stream: name, event: 'update', payload: '{"id":"7"}', id: '9' }))
      opened.send(JSON.stringify({ stream: name, event: 'delete', payload: '110000000000000001' }))
      opened.send(JSON.stringify({ stream: name, event: 'filters_changed' }))
    })
  })
  const listening = await listenOn(http, {})
  port = listening.port
  origin = `http://127.0.0.1:${port}`
  stop = () => {
    for (const client of sockets.clients) client.terminate()
    http.closeAllConnections()
    return listening.close()
  }
})
afterAll(() => stop())

test('WebSocket: events can be awaited by name and have their payload, and ids stay text', async () => {
  const stream = await openStream(`${origin}/api/v1/streaming`, { token: 'good' })
  stream.subscribe('hashtag', { tag: 'cats' })
  expect(await stream.next('delete')).toMatchObject({ payload: '110000000000000001', stream: ['hashtag', 'cats'] })
  expect(await stream.next<{ id: string }>('update')).toMatchObject({ payload: { id: '7' }, id: '9' })
  expect(await stream.next()).toMatchObject({ event: 'filters_changed', payload: undefined })
  stream.subscribe('nothing')
  expect(await stream.errors.next()).toEqual({ error: 'Unknown stream type', status: 400 })
  stream.unsubscribe('hashtag', { tag: 'cats' })
  await stream.settled()
  await expect(stream.next('update', 20)).rejects.toThrow(
    'nothing more among events of the stream within 20 ms; 3 arrived',
  )
  await stream.close()
  expect((await stream.closed).code).toBe(1005)
})

test('WebSocket: the token is sent in the chosen place, and a refusal has its status and reason', async () => {
  const byQuery = await openStream(`${origin}/api/v1/streaming`, {
    token: 'good',
    tokenIn: 'query',
    query: { stream: 'user' },
  })
  expect(asked.at(-1)!.url).toBe('/api/v1/streaming?stream=user&access_token=good')
  const byProtocol = await openStream(`${origin}/`, { token: 'good', tokenIn: 'protocol' })
  expect(byProtocol.protocol).toBe('good')
  await Promise.all([byQuery.close(), byProtocol.close()])
  const elsewhere = { host: '127.0.0.1', port }
  const named = await openStream('ws://social.example/', { token: 'good', connectTo: elsewhere })
  expect(asked.at(-1)!.headers.host).toBe('social.example')
  await named.close()
  const refused = openStream(`${origin}/`, { token: 'bad' })
  await expect(refused).rejects.toMatchObject({ status: 401, headers: { 'x-error-message': 'Invalid access token' } })
})

test('WebSocket: a close by the server ends every wait with its code', async () => {
  const stream = await openStream(`${origin}/`, { token: 'good' })
  const waiting = stream.next()
  stream.send(Buffer.from([1]))
  await expect(waiting).rejects.toThrow('closed with 1003 text only')
  expect(await stream.closed).toEqual({ code: 1003, reason: 'text only' })
  expect(socket.readyState).toBeGreaterThan(1)
})

test('server-sent events: split characters, comments and ids are read, and the last id is sent to resume', async () => {
  const source = await openEventSource(`${origin}/api/v1/streaming/user`, { token: 'good' })
  expect(source.headers['content-type']).toBe('text/event-stream')
  expect(await source.next('update')).toMatchObject({ payload: { content: 'hé' }, id: '41' })
  expect(await source.next()).toMatchObject({ event: 'delete', payload: '110000000000000001', id: '42' })
  await source.comments.reached(2)
  expect(source.comments.all).toEqual([')', 'thump'])
  const { lastEventId } = source
  await source.close()
  const again = await openEventSource(`${origin}/`, { token: 'good', lastEventId: lastEventId() })
  expect(asked.at(-1)!.headers['last-event-id']).toBe('42')
  await again.close()
  const refused = openEventSource(`${origin}/api/v1/streaming/user`)
  await expect(refused).rejects.toMatchObject({ status: 401, body: '{"error":"Missing access token"}' })
})
