/** Tests of media through the gateway: HTTP forms for uploads, and files with caching and ranges. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { app as accounts } from '@murmuration/accounts'
import { createBlobStore } from '@murmuration/blob'
import { createAccountByOperator, createTokenByOperator } from '@murmuration/contracts/accounts'
import { MediaAttachment } from '@murmuration/contracts/entities'
import { app as gateway } from '@murmuration/gateway'
import { type Cluster, startCluster } from '@murmuration/testkit'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app } from '../src/main.js'
import { noise, telephoneJpeg } from './pictures.js'

let cluster: Cluster
let token: string
beforeAll(async () => {
  cluster = await startCluster({ apps: [app, accounts, gateway], env: { MEDIA_FFMPEG: 'off' } })
  const password = randomBytes(12).toString('hex')
  await cluster.call(createAccountByOperator, {
    username: 'alice',
    email: 'alice@example.com',
    confirmed: true,
    password,
  })
  const made = await cluster.call(createTokenByOperator, { username: 'alice', scopes: 'read write' })
  token = made.token
})
afterAll(async () => {
  await cluster.stop()
  await rm(cluster.env.BLOB_DIR ?? '', { recursive: true, force: true })
})

const send = (method: string, path: string, body?: FormData | URLSearchParams) =>
  fetch(`${cluster.origin}${path}`, {
    method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}` },
    ...(body && { body }),
  })
const form = (fields: Record<string, string | Buffer>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields))
    data.append(
      name,
      typeof value === 'string' ? value : new File([new Uint8Array(value)], 'a.svg', { type: 'image/svg+xml' }),
    )
  return data
}

test('S-100 D027 a picture is uploaded by multipart and served with long caching, ranges and a strict policy', async () => {
  const answer = await send(
    'POST',
    '/api/v2/media',
    form({ file: await telephoneJpeg(), description: 'A cat', focus: '0.5,0' }),
  )
  expect(answer.status).toBe(200)
  const attachment = MediaAttachment.parse(await answer.json())
  expect(attachment).toMatchObject({ description: 'A cat', meta: { focus: { x: 0.5, y: 0 } } })
  const file = await fetch(attachment.url ?? '')
  const bytes = Buffer.from(await file.arrayBuffer())
  expect(bytes.includes('SECRET-PLACE')).toBe(false)
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 600, height: 800 })
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; form-action 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  })
  const part = await fetch(attachment.preview_url ?? '', { headers: { range: 'bytes=0-9' } })
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10])
  const again = await fetch(attachment.url ?? '', { headers: { 'if-none-match': file.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  for (const path of [
    `/api/v1/media/${attachment.id}`,
    `/api/v2/media/${attachment.id}`,
    `/api/v2/media?id=${attachment.id}`,
  ])
    expect([path, (await send('GET', path)).status]).toEqual([path, 200])
  const changed = await send(
    'PUT',
    `/api/v1/media/${attachment.id}`,
    new URLSearchParams({ description: 'Another cat' }),
  )
  expect([changed.status, ((await changed.json()) as { description: string }).description]).toEqual([
    200,
    'Another cat',
  ])
  const deleted = await send('DELETE', `/api/v1/media/${attachment.id}`)
  expect([deleted.status, await deleted.json()]).toEqual([200, {}])
  expect((await fetch(attachment.url ?? '')).status).toBe(404)
})

test('refusals have JSON bodies with their texts', async () => {
  const none = await send('POST', '/api/v2/media', form({ description: 'x' }))
  const text = await send(
    'POST',
    '/api/v1/media',
    form({ file: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }),
  )
  const forged = await send(
    'POST',
    '/api/v2/media',
    new URLSearchParams({ 'file[key]': 'media/aa/bb.jpg', 'file[size]': '1' }),
  )
  const answers = await Promise.all(
    [none, text, forged].map(async (one) => [one.status, ((await one.json()) as { error: string }).error]),
  )
  expect(answers).toEqual([
    [422, "Validation failed: File can't be blank"],
    [422, 'File type of uploaded media could not be verified'],
    [422, 'Validation failed: File is invalid'],
  ])
  const nobody = await fetch(`${cluster.origin}/api/v2/media`, {
    method: 'POST',
    body: form({ file: await noise(9, 9).png().toBuffer() }),
  })
  expect(nobody.status).toBe(401)
  expect((await fetch(`${cluster.origin}/media_proxy/a1-0`)).status).toBe(403)
})

test('an avatar is set through the profile', async () => {
  const answer = await send(
    'PATCH',
    '/api/v1/accounts/update_credentials',
    form({ avatar: await telephoneJpeg(500, 900) }),
  )
  expect(answer.status).toBe(200)
  const { avatar } = (await answer.json()) as { avatar: string }
  const bytes = Buffer.from(await (await fetch(avatar)).arrayBuffer())
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 400, height: 400 })
})

/** Sends the beginning of an upload, and closes the connection. */
const cutOff = (bytes: Buffer, at: number): Promise<void> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(cluster.origin)
    const request = httpRequest({ hostname, port, method: 'POST', path: '/api/v2/media', agent: false })
    request.setHeader('authorization', `Bearer ${token}`)
    request.setHeader('content-type', 'multipart/form-data; boundary=cut')
    request.setHeader('content-length', bytes.length)
    request.on('error', () => {})
    request.on('close', () => resolve())
    request.write(bytes.subarray(0, at), () => request.destroy())
  })

test('F074 two hundred interrupted uploads leave no file, no work directory and no open descriptor', async () => {
  const head = Buffer.from(
    '--cut\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n',
  )
  const bytes = Buffer.concat([head, await noise(400, 300).jpeg().toBuffer(), Buffer.from('\r\n--cut--\r\n')])
  const folder = cluster.env.BLOB_DIR ?? ''
  const descriptors = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(join('/proc/self/fd', fd)).startsWith(folder)
      } catch {
        return false
      }
    })
  const batch = (from: number) =>
    Promise.all(
      Array.from({ length: 20 }, (_, i) => cutOff(bytes, 1 + (((from * 20 + i) * 7_919) % (bytes.length - 1)))),
    )
  for (let round = 0; round <= 10; round++) await batch(round)
  await expect.poll(descriptors).toEqual([])
  const blobs = createBlobStore({ kind: 'disk', dir: folder })
  const staged = async () => (await blobs.list('staging/')).blobs
  await expect.poll(staged).toEqual([])
  const incoming = () => readdirSync(join(folder, '.incoming'))
  await expect.poll(incoming).toEqual([])
})
