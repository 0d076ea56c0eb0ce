/** Frames with each of the three encodings of lengths, read by the library; equal events share one frame. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createFramer, textFrame } from './frame.js'

/** The messages that a client receives when these bytes are written between two messages of the library. */
const received = async (frame: Buffer): Promise<string[]> => {
  const server = createServer()
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  server.on('upgrade', (req, wire, head) =>
    sockets.handleUpgrade(req, wire, head, (socket) => {
      socket.send('before')
      wire.write(frame)
      socket.send('after')
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const texts: string[] = []
  await new Promise<void>((resolve, reject) => {
    client.on('error', reject)
    client.on('message', (data) => {
      texts.push(String(data))
      if (texts.length === 3) resolve()
    })
  })
  client.terminate()
  server.close()
  return texts
}

test.each([0, 1, 125, 126, 65_535, 65_536, 200_000])('the library reads a text of %i bytes', async (length) => {
  const text = 'x'.repeat(length)
  expect(await received(textFrame(text))).toEqual(['before', text, 'after'])
})

test('lengths are in bytes, not in characters', async () => {
  const text = 'ä🙂'.repeat(40)
  expect(await received(textFrame(text))).toEqual(['before', text, 'after'])
})

test('equal events share a frame; events with a position are encoded separately', () => {
  const frame = createFramer()
  const event = { stream: ['public'], event: 'update', payload: '{}', seq: null }
  expect(frame({ ...event })).toBe(frame(event))
  expect(frame({ ...event, stream: ['public'] })).toBe(frame(event))
  expect(frame({ ...event, stream: ['public:local'] })).not.toBe(frame(event))
  expect(frame({ ...event, payload: '[]' })).not.toBe(frame(event))
  const personal = { ...event, seq: 7 }
  expect(frame(personal)).not.toBe(frame(personal))
  expect(frame(personal).toString()).toContain('"id":"7"')
})
